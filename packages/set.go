package packages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/bellglass/bellglass/packages/cache"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// A Set is the packages of an application, and what is bundled of them. It is safe for
// concurrent use.
type Set struct {
	source      source
	cache       *cache.Cache
	development bool
	say         func(format string, args ...any)
	warnings    []string

	building chan struct{} // holds a value while Bundle runs, so that one runs at a time
	mu       sync.RWMutex
	built    map[string]*bundle    // by key of the source; the bundles never change
	failures map[string][]*failure // by key of the source
	paths    map[string]string     // of the specifiers that were asked for
}

// A bundle is what is bundled of a package.
type bundle struct {
	must, may []string // subpaths that the application and that other packages import, sorted
	dir       string
	result    *prebundle.Result
}

func newSet(from source, c *cache.Cache, o Options) *Set {
	return &Set{source: from, cache: c, development: o.Development, say: o.say, building: make(chan struct{}, 1), built: map[string]*bundle{}, failures: map[string][]*failure{}, paths: map[string]string{}}
}

// An UnknownError says that the application does not depend on a package.
type UnknownError struct {
	Specifier, Package string
	Has                []string
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("%q: the application does not depend on %s; run bellglass add %s", e.Specifier, e.Package, e.Package)
	if len(e.Has) > 0 {
		text += fmt.Sprintf(". It depends on %s", strings.Join(e.Has[:min(len(e.Has), 20)], ", "))
	}
	return text
}

// Bundle bundles what the specifiers of imports name, such as "react-dom/client", with all
// that it imports of other packages. It costs nothing for those that are there already. If one
// fails, the set stays as it was. Bundle then returns one of these errors:
//
//   - The application does not depend on a package: a join of one [*UnknownError] for each.
//   - A package has no such subpath: a [*prebundle.SubpathError].
//   - A package exceeds a limit: a [*BundleLimitError].
//   - A package cannot be bundled for another reason: a [*prebundle.BuildError].
//   - ctx is done: its cause.
//
// The set remembers why a package from a registry failed, and does not bundle it again.
//
// A new subpath can change the files of a package that was bundled before, because what both
// use becomes a chunk. So publish all files again, in one step.
func (s *Set) Bundle(ctx context.Context, specifiers ...string) error {
	select {
	case s.building <- struct{}{}:
		defer func() { <-s.building }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	b := &round{set: s, built: map[string]*bundle{}, dirty: map[string]bool{}}
	s.mu.RLock()
	for key, one := range s.built {
		b.built[key] = &bundle{must: slices.Clone(one.must), may: slices.Clone(one.may), dir: one.dir, result: one.result}
	}
	s.mu.RUnlock()
	var failed []error
	asked := map[string]string{}
	for _, specifier := range specifiers {
		name, subpath := prebundle.SplitSpecifier(specifier)
		key := s.source.root(name)
		if key == "" {
			failed = append(failed, &UnknownError{Specifier: specifier, Package: name, Has: s.source.names()})
			continue
		}
		asked[specifier] = key
		b.want(key, subpath, true)
	}
	if failed != nil {
		return errors.Join(failed...)
	}
	for len(b.dirty) > 0 {
		if err := b.run(ctx); err != nil {
			return bundleLimitError(err, asked)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.built = b.built
	for specifier, key := range asked {
		_, subpath := prebundle.SplitSpecifier(specifier)
		s.paths[specifier] = b.built[key].dir + "/" + b.built[key].result.Entries[subpath]
	}
	return nil
}

// A round adds subpaths until no package imports what is not bundled.
type round struct {
	set   *Set
	built map[string]*bundle
	dirty map[string]bool // keys of packages to bundle
}

// want adds a subpath to a package.
func (r *round) want(key, subpath string, must bool) {
	one := r.built[key]
	if one == nil {
		name, version, _ := r.set.source.identity(key)
		one = &bundle{dir: folder(name, version)}
		r.built[key] = one
	}
	list := &one.may
	if must {
		list = &one.must
	} else if slices.Contains(one.must, subpath) {
		return
	}
	at, found := slices.BinarySearch(*list, subpath)
	if found {
		return
	}
	*list = slices.Insert(*list, at, subpath)
	if must {
		one.may = slices.DeleteFunc(one.may, func(s string) bool { return s == subpath })
	}
	r.dirty[key] = true
}

// run bundles the packages that have new subpaths, several at a time. If one fails, run still
// bundles the others: the caller will probably ask for those alone, and then finds them in the cache.
func (r *round) run(ctx context.Context) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	keys := slices.Sorted(maps.Keys(r.dirty))
	errs := make([]error, len(keys))
	r.dirty = map[string]bool{}
	for i, key := range keys {
		one := r.built[key]
		group.Go(func() error {
			if errs[i] = context.Cause(ctx); errs[i] == nil {
				one.result, errs[i] = r.set.build(ctx, key, one)
			}
			return nil
		})
	}
	_ = group.Wait()
	if err := worst(errs); err != nil {
		return err
	}
	for _, key := range keys {
		for _, each := range r.built[key].result.Imports {
			if to := r.set.edge(key, each.Name); to != "" {
				r.want(to, each.Subpath, false)
			}
		}
	}
	return nil
}

// edge returns the package that another one imports. Packages forget to declare what their
// users have anyway, such as react.
func (s *Set) edge(from, name string) string {
	if to := s.source.edge(from, name); to != "" {
		return to
	}
	return s.source.root(name)
}

// Resolve returns the virtual path of a specifier that was bundled. It is the path of a module,
// or of a style sheet if it ends with ".css".
func (s *Set) Resolve(specifier string) (path string, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	path, ok = s.paths[specifier]
	return path, ok
}

// Imports returns the virtual paths of all specifiers that were bundled, as the imports of an
// import map.
func (s *Set) Imports() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.Clone(s.paths)
}

// Files returns the contents of all files by virtual path. The caller must not change them.
func (s *Set) Files() map[string][]byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	files := map[string][]byte{}
	for _, one := range s.built {
		for name, content := range one.result.Files {
			files[one.dir+"/"+name] = content
		}
	}
	return files
}

// Dependencies returns the versions of what the application depends on, by name.
func (s *Set) Dependencies() map[string]string {
	versions := map[string]string{}
	for _, name := range s.source.names() {
		if key := s.source.root(name); key != "" {
			_, versions[name], _ = s.source.identity(key)
		}
	}
	return versions
}

// Notes returns what people should know, such as a deprecated package, or a package that
// needs Node.js. They are sorted by when they arose.
func (s *Set) Notes() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	notes := slices.Clone(s.warnings)
	for _, key := range slices.Sorted(maps.Keys(s.built)) {
		notes = append(notes, s.built[key].result.Notes...)
	}
	return notes
}

// Lock returns the text of the lock file, or nil for packages of a node_modules.
func (s *Set) Lock() ([]byte, error) {
	from, ok := s.source.(*registrySource)
	if !ok {
		return nil, nil
	}
	return from.graph.Lock(from.client.Config.Registry)
}

// Place says where the packages come from: "node_modules" or "the package cache".
func (s *Set) Place() string {
	if _, is := s.source.(*folderSource); is {
		return "node_modules"
	}
	return "the package cache"
}

// Size returns the number of packages, or 0 if it is not known.
func (s *Set) Size() int {
	if from, ok := s.source.(*registrySource); ok {
		return len(from.graph.Packages)
	}
	return 0
}
