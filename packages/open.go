package packages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bellglass/bellglass/packages/manifest"
	"github.com/bellglass/bellglass/packages/resolve"
)

// Open returns the packages that package.json in dir depends on. If node_modules in dir has all
// of them, the set reads that. Otherwise it resolves and fetches them, and uses the lock. A
// folder without package.json depends on nothing. Open writes nothing to the folder.
//
// npm's configuration in dir decides which registry is asked, so dir must be a folder that the
// user trusts, unless o.Config is set.
func Open(ctx context.Context, dir string, o Options) (*Set, error) {
	f, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	lacks := "" // of node_modules
	if info, err := os.Stat(filepath.Join(dir, "node_modules")); err == nil && info.IsDir() && len(f.dependencies) > 0 {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", dir, err)
		}
		set, missing, err := FromFS(root.FS(), f.dependencies, o)
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
		if set != nil {
			return set, nil
		}
		lacks = missing
		if err := root.Close(); err != nil {
			return nil, err
		}
	}
	client, err := o.client(dir)
	if err != nil {
		return nil, err
	}
	set, err := load(ctx, client, f.request(), o)
	if err == nil && lacks != "" {
		set.warnings = append(set.warnings, fmt.Sprintf("node_modules is not used, because it lacks %s; run npm install, or delete it", lacks))
	}
	return set, err
}

// A folderState is what a folder says of its packages.
type folderState struct {
	manifest     []byte
	dependencies map[string]string
	lock         []byte
	npmLock      []byte
}

func (f *folderState) request() Request {
	return Request{Dependencies: f.dependencies, Lock: f.lock, NPMLock: f.npmLock}
}

func readFolder(dir string) (*folderState, error) {
	f := &folderState{}
	for _, file := range []struct {
		name string
		to   *[]byte
	}{{manifest.File, &f.manifest}, {resolve.LockFile, &f.lock}, {resolve.NPMLockFile, &f.npmLock}} {
		text, err := os.ReadFile(filepath.Join(dir, file.name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("cannot read the packages of %s: %w", dir, err)
		}
		*file.to = text
	}
	if len(f.manifest) == 0 {
		f.dependencies = map[string]string{}
		return f, nil
	}
	var err error
	if f.dependencies, err = manifest.Dependencies(f.manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}
