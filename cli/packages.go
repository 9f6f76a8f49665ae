package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/bellglass/bellglass/packages"
)

// folderPackages are the packages that the package.json of a folder names. They come from the
// folder's node_modules, or from the cache, where bellglass add has put them. It sends no
// request, because the author of the folder may not be trusted. It implements compile.Packages.
type folderPackages struct {
	dir string

	mu    sync.Mutex
	set   *packages.Set
	stamp string // of the files that say which packages there are
	err   error
}

// packagesOf returns the packages of a folder, or nil if it has no package.json.
func packagesOf(dir string) *folderPackages {
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err != nil {
		return nil
	}
	return &folderPackages{dir: dir}
}

// Bundle makes the modules that the specifiers name. It reads package.json and the locks again if
// they have changed.
func (f *folderPackages) Bundle(ctx context.Context, specifiers ...string) error {
	set, err := f.open(ctx)
	if err != nil {
		return err
	}
	return set.Bundle(ctx, specifiers...)
}

func (f *folderPackages) open(ctx context.Context) (*packages.Set, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stamp := f.now(); f.stamp != stamp {
		f.stamp = stamp
		f.set, f.err = packages.Open(ctx, f.dir, packages.Options{Offline: true})
	}
	return f.set, f.err
}

// now identifies the state of the files that say which packages there are.
func (f *folderPackages) now() string {
	var b strings.Builder
	for _, name := range []string{"package.json", "bellglass-lock.json", "package-lock.json", "node_modules", "node_modules/.package-lock.json"} {
		if info, err := os.Stat(filepath.Join(f.dir, filepath.FromSlash(name))); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// Resolve returns the virtual path of what a specifier names, if it was bundled.
func (f *folderPackages) Resolve(specifier string) (string, bool) {
	if set := f.current(); set != nil {
		return set.Resolve(specifier)
	}
	return "", false
}

// Files returns everything that was bundled.
func (f *folderPackages) Files() map[string][]byte {
	if set := f.current(); set != nil {
		return set.Files()
	}
	return nil
}

func (f *folderPackages) current() *packages.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set
}
