package packages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/bellglass/bellglass/compile/child"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// A record is a result in the cache.
type record struct {
	Result *prebundle.Result
	Others map[string]string // virtual folders by the name of each import that was looked up
	Hashes map[string]string // of the files that it was made of, if no fingerprint covers them
}

// build returns the result for a package, from the cache if the same was built before.
func (s *Set) build(ctx context.Context, key string, one *bundle) (*prebundle.Result, error) {
	name, version, fingerprint := s.source.identity(key)
	other := func(of string) string {
		if to := s.edge(key, of); to != "" {
			name, version, _ := s.source.identity(to)
			return folder(name, version)
		}
		return ""
	}
	var id strings.Builder
	fmt.Fprintf(&id, "%s\n%s\n%t\n%s@%s\n%s\n%s\n%q\n%q\n", prebundle.Version, esbuildVersion(), s.development, name, version, fingerprint, one.dir, one.must, one.may)
	for _, each := range s.source.edges(key) {
		fmt.Fprintf(&id, "%s %s\n", each, other(each))
	}
	var files prebundle.Files
	open := func() (err error) {
		if files == nil {
			files, err = s.source.files(key)
		}
		return err
	}
	if stored, ok, err := s.cache.Get("bundle", id.String()); err != nil {
		return nil, err
	} else if ok {
		var r record
		if json.Unmarshal(stored, &r) == nil && r.Result != nil {
			if r.Hashes != nil {
				if err := open(); err != nil {
					return nil, err
				}
			}
			if r.fits(other, files) {
				return r.Result, nil
			}
		}
	}
	if f := s.failed(key, one); f != nil {
		return nil, f
	}
	s.say("Bundling %s %s", name, version)
	result, looked, err := s.bundle(ctx, key, one, other)
	if err != nil {
		return nil, s.fail(key, one, fingerprint, err)
	}
	r := record{Result: result, Others: map[string]string{}}
	for _, of := range looked {
		r.Others[of] = other(of)
	}
	if fingerprint == "" {
		if err := open(); err != nil {
			return nil, err
		}
		r.Hashes = hashes(result.Reads, files)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return result, s.cache.Put("bundle", id.String(), text)
}

// bundler bundles packages of a registry in child processes: anybody can publish a package, and
// some crash the process that bundles them (package child).
var bundler = sync.OnceValue(child.New)

// bundle bundles one package. looked has the names of the packages that it looked up.
func (s *Set) bundle(ctx context.Context, key string, one *bundle, other func(string) string) (result *prebundle.Result, looked []string, err error) {
	name, version, _ := s.source.identity(key)
	tarball, unpacked, err := s.source.tarball(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	in := prebundle.Packed{
		Name: name, Version: version, Dir: one.dir, Tarball: tarball, MaxUnpacked: unpacked,
		Subpaths: one.must, Optional: one.may, Development: s.development, Others: map[string]string{},
	}
	if tarball != nil {
		for _, of := range slices.Concat(s.source.edges(key), s.source.names()) {
			in.Others[of] = other(of)
		}
		return bundler().Bundle(ctx, in)
	}
	// The user has installed the packages of a folder, and so trusts them.
	files, err := s.source.files(key)
	if err != nil {
		return nil, nil, err
	}
	b := prebundle.BuildOf(in, files, other)
	return b.Result, b.Looked, b.Err()
}

// fits reports whether a stored result would be built again today.
func (r *record) fits(other func(string) string, files prebundle.Files) bool {
	for name, at := range r.Others {
		if other(name) != at {
			return false
		}
	}
	for name, hash := range r.Hashes {
		if hashOf(name, files) != hash {
			return false
		}
	}
	return true
}

func hashes(names []string, files prebundle.Files) map[string]string {
	all := map[string]string{}
	for _, name := range names {
		all[name] = hashOf(name, files)
	}
	return all
}

func hashOf(name string, files prebundle.Files) string {
	content, err := files.ReadFile(name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// esbuildVersion is part of what a result depends on.
var esbuildVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/evanw/esbuild" {
				return module.Version
			}
		}
	}
	return ""
})
