package packages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/bellglass/bellglass/packages/cache"
	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// FromFS returns the packages in the folder node_modules of a file system. It reads only those
// that are asked for, at the moment of asking. If a dependency is not there, or has another
// version than its range, set is nil, and lacks says what is missing.
func FromFS(files fs.FS, dependencies map[string]string, o Options) (set *Set, lacks string, err error) {
	c, err := cache.Open(o.Cache)
	if err != nil {
		return nil, "", err
	}
	s := &folderSource{fsys: files, dependencies: dependencies, known: map[string]*installed{}, first: map[string]string{}}
	for _, name := range sortedKeys(dependencies) {
		if err := npm.CheckName(name); err != nil {
			return nil, "", err
		}
		p := s.at(s.find("", name))
		if p == nil {
			return nil, name, nil
		}
		spec, err := npm.ParseDependency(name, dependencies[name])
		// What a range cannot say, such as a folder, is as it was installed.
		if err == nil && spec.Range != "*" && npm.IsRange(spec.Range) && !npm.Satisfies(p.Version, spec.Range) {
			return nil, fmt.Sprintf("%s %s, and has %s", name, dependencies[name], p.Version), nil
		}
	}
	return newSet(s, c, o), "", nil
}

// A folderSource has packages in node_modules. The key of a package is its folder.
type folderSource struct {
	fsys         fs.FS
	dependencies map[string]string

	mu    sync.Mutex
	known map[string]*installed
	first map[string]string // folder by NAME@VERSION: copies of one version count as one
}

// An installed package is what its package.json says.
type installed struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Dependencies map[string]string `json:"dependencies"`
	Optional     map[string]string `json:"optionalDependencies"`
	Peers        map[string]string `json:"peerDependencies"`
}

// at returns the package in a folder, or nil.
func (s *folderSource) at(dir string) *installed {
	if dir == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.known[dir]; ok {
		return p
	}
	s.known[dir] = nil
	text, err := fs.ReadFile(s.fsys, path.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	p := &installed{}
	if json.Unmarshal(text, p) != nil || npm.CheckName(p.Name) != nil || npm.CheckVersion(p.Version) != nil {
		return nil
	}
	s.known[dir] = p
	return p
}

// find returns the folder of a package, as Node.js finds it from a folder, or "".
func (s *folderSource) find(from, name string) string {
	if npm.CheckName(name) != nil {
		return ""
	}
	for dir := from; ; dir = parent(dir) {
		if path.Base(dir) != "node_modules" {
			candidate := path.Join(dir, "node_modules", name)
			if _, err := fs.Stat(s.fsys, path.Join(candidate, "package.json")); err == nil {
				return s.once(s.real(candidate))
			}
		}
		if dir == "" {
			return ""
		}
	}
}

func parent(dir string) string {
	if dir = path.Dir(dir); dir == "." {
		return ""
	}
	return dir
}

// once returns the folder that stands for all copies of the same version.
func (s *folderSource) once(dir string) string {
	p := s.at(dir)
	if p == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := p.Name + "@" + p.Version
	if s.first[key] == "" {
		s.first[key] = dir
	}
	return s.first[key]
}

// real follows links, since a package's own imports start from where it really is.
func (s *folderSource) real(dir string) string {
	for range 40 {
		parts := strings.Split(dir, "/")
		followed := false
		for i := range parts {
			at := strings.Join(parts[:i+1], "/")
			to, err := fs.ReadLink(s.fsys, at)
			if err != nil || path.IsAbs(to) {
				continue
			}
			dir, followed = path.Join(path.Dir(at), to, strings.Join(parts[i+1:], "/")), true
			break
		}
		if !followed {
			return dir
		}
	}
	return dir
}

func (s *folderSource) root(name string) string {
	if _, ok := s.dependencies[name]; !ok {
		return ""
	}
	return s.find("", name)
}

func (s *folderSource) edge(from, name string) string { return s.find(from, name) }

func (s *folderSource) names() []string { return sortedKeys(s.dependencies) }

func (s *folderSource) edges(key string) []string {
	p, all := s.at(key), map[string]bool{}
	for _, of := range []map[string]string{p.Dependencies, p.Optional, p.Peers} {
		for name := range of {
			all[name] = true
		}
	}
	return sortedKeys(all)
}

func (s *folderSource) identity(key string) (name, version, fingerprint string) {
	p := s.at(key)
	return p.Name, p.Version, ""
}

func (*folderSource) tarball(context.Context, string) ([]byte, int64, error) { return nil, 0, nil }

func (s *folderSource) files(key string) (prebundle.Files, error) {
	below, err := fs.Sub(s.fsys, key)
	if err != nil {
		return nil, err
	}
	return folderFiles{below}, nil
}

// folderFiles are the files of a package in a file system.
type folderFiles struct{ fsys fs.FS }

func (f folderFiles) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.ErrUnsupported}
	}
	return fs.ReadFile(f.fsys, name)
}

func (f folderFiles) Exists(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(f.fsys, name)
	return err == nil && info.Mode().IsRegular()
}
