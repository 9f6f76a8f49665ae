// Package imports has the packages of npm that the programs of the tests import. The lock pins
// them; bellglass add --dir tests/internal/imports writes it.
//
// The installer of the tests fetches them into the user's package cache. A test asks no registry.
package imports

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"

	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/manifest"
	"github.com/bellglass/bellglass/packages/resolve"
)

//go:embed package.json
var dependencies []byte

//go:embed bellglass-lock.json
var lock []byte

// Fetch brings what is missing into the cache, and returns the number of packages.
func Fetch(ctx context.Context) (int, error) {
	set, err := load(ctx, false)
	if err != nil {
		return 0, err
	}
	return set.Size(), nil
}

// Load returns the packages from the cache.
func Load(ctx context.Context) (*packages.Set, error) { return load(ctx, true) }

// Write writes package.json and the lock into a folder, for a program that reads them there.
func Write(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, manifest.File), dependencies, 0o600),
		os.WriteFile(filepath.Join(dir, resolve.LockFile), lock, 0o600),
	)
}

func load(ctx context.Context, offline bool) (*packages.Set, error) {
	ranges, err := manifest.Dependencies(dependencies)
	if err != nil {
		return nil, err
	}
	return packages.Load(ctx, packages.Request{Dependencies: ranges, Lock: lock}, packages.Options{Offline: offline})
}
