package packages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/bellglass/bellglass/packages/manifest"
	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/prebundle"
	"github.com/bellglass/bellglass/packages/resolve"
)

// Added is a dependency of an application.
type Added struct {
	Name    string `json:"name"`
	Range   string `json:"range"` // in package.json
	Version string `json:"version"`
}

// Add adds packages to a folder, such as "react@19": it resolves and fetches them, bundles
// their main entries, and writes package.json and the lock. Without any it does that for what
// package.json has. It returns what was asked for, sorted by name. An error leaves both files
// as they were.
func Add(ctx context.Context, dir string, wanted []string, o Options) (*Set, []Added, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("there is no folder %s; create it first", dir)
	}
	f, err := readFolder(dir)
	if err != nil {
		return nil, nil, err
	}
	client, err := o.client(dir)
	if err != nil {
		return nil, nil, err
	}
	request := f.request()
	request.Dependencies = maps.Clone(f.dependencies)
	for _, argument := range wanted {
		name, what, err := npm.ParseArgument(argument)
		if err != nil {
			return nil, nil, err
		}
		request.Dependencies[name] = what
		if !slices.Contains(request.Fresh, name) {
			request.Fresh = append(request.Fresh, name)
		}
	}
	set, err := load(ctx, client, request, o)
	if err != nil {
		return nil, nil, err
	}
	names := request.Fresh
	if len(wanted) == 0 {
		names = set.source.names()
	}
	slices.Sort(names)
	var added []Added
	ranges := map[string]string{}
	graph := set.source.(*registrySource).graph
	for _, name := range names {
		edge := graph.Root[name]
		version := graph.Packages[edge.To].Version
		if len(wanted) > 0 {
			edge.Range = npm.SaveRange(edge.Range, version)
			graph.Root[name] = edge
			ranges[name] = edge.Range
		}
		added = append(added, Added{Name: name, Range: edge.Range, Version: version})
	}
	if err := set.warm(ctx, names); err != nil {
		return nil, nil, err
	}
	return set, added, write(dir, f, set, ranges)
}

// warm bundles the main entries. A package that has none, or that no browser can use, is
// worth a note: somebody may need its types or its style sheets alone.
func (s *Set) warm(ctx context.Context, names []string) error {
	all := s.Bundle(ctx, names...)
	if all == nil {
		return nil
	}
	limit, _ := errors.AsType[*BundleLimitError](all)
	for _, name := range names {
		if limit != nil && limit.Fails(name) {
			s.note("%v", limit)
			continue
		}
		err := s.Bundle(ctx, name)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if absent, ok := errors.AsType[*prebundle.SubpathError](err); ok {
			s.note("%v", absent)
		} else if _, unreadable := errors.AsType[*npm.MissingError](err); unreadable {
			return err
		} else if err != nil {
			s.note("%v", err)
		}
	}
	return nil
}

func (s *Set) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// write writes the lock and package.json. Each appears whole.
func write(dir string, f *folderState, set *Set, ranges map[string]string) error {
	lock, err := set.Lock()
	if err != nil {
		return err
	}
	text := f.manifest
	if len(ranges) > 0 {
		if text, err = manifest.SetDependencies(text, ranges); err != nil {
			return err
		}
	}
	// The lock first: one that fits no package.json yet is resolved again.
	if err := replace(filepath.Join(dir, resolve.LockFile), f.lock, lock); err != nil {
		return err
	}
	return replace(filepath.Join(dir, manifest.File), f.manifest, text)
}

// replace writes a file in one step, unless it has the content already.
func replace(name string, before, after []byte) (err error) {
	if string(before) == string(after) {
		return nil
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".bellglass-")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("cannot write %s: %w", name, err), os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(after)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
