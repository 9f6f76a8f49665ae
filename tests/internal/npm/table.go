package npm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Package is one pinned tarball.
type Package struct {
	Name    string
	Version string
	// Integrity is what `npm view NAME@VERSION dist.integrity` prints:
	// "sha512-" and the hash of the tarball in base64.
	Integrity string
}

// String returns the form npm understands: NAME@VERSION.
func (p Package) String() string { return p.Name + "@" + p.Version }

// packages are what the tests themselves work with. The applications that run in a
// sandbox are rows of tests/internal/apps.
var packages = []Package{
	// The driver behind playwright-go v0.5200.1, which works with this version only.
	{"playwright-core", "1.52.0", "sha512-l2osTgLXSMeuLZOML9qYODUQoPPnUsKsb5/P6LJ2e6uPKXUdPK5WYhN4z03G+YNbWmGDY4YENauNu4ZKczreHg=="},
	// The type checker for our TypeScript. 7 and later are native builds; this is plain JavaScript.
	{"typescript", "5.9.3", "sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw=="},
	// What a first paint is measured against, with what it imports.
	{"@codesandbox/sandpack-client", "2.19.8", "sha512-CMV4nr1zgKzVpx4I3FYvGRM5YT0VaQhALMW9vy4wZRhEyWAtJITQIqZzrTGWqB1JvV7V72dVEUCUPLfYz5hgJQ=="},
	{"static-browser-server", "1.0.5", "sha512-TMRqt1O/qHVJK8lG+cu65+PzgBdloOIpA+mpox+I0fwV0uhLn7dEkYG6UG+7ytZqXZCcBSSyZxELGR2QnWuoLA=="},
	{"outvariant", "1.4.0", "sha512-AlWY719RF02ujitly7Kk/0QlV+pXGFDHrHf9O2OKqyqgBieaPOIeuSkL8sRK6j2WK+/ZAURq2kZsY0d8JapUiw=="},
	{"dequal", "2.0.3", "sha512-0je+qPKHEMohvfRTCEo3CrPG6cAzAYgmzKyxRiYSSDkS6eGJdyVJm7WaYA5ECaAD9wLB2T4EEeymA5aFVcYXCA=="},
}

// Packages returns the table.
func Packages() []Package { return append([]Package(nil), packages...) }

// Dir returns the folder that holds the package.json of a package of the
// table. Its name is always "package", as in the tarball.
func Dir(name string) (string, error) {
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	for _, p := range packages {
		if p.Name == name {
			return p.dir(root)
		}
	}
	return "", fmt.Errorf("npm package %q is not in the table of tests/internal/npm", name)
}

// Dir returns the folder that holds the package's package.json.
func (p Package) Dir() (string, error) {
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	return p.dir(root)
}

func (p Package) dir(root string) (string, error) {
	dir := filepath.Join(p.home(root), top)
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err != nil {
		return "", fmt.Errorf("npm package %s is not installed: run go run ./tests/install first", p)
	}
	return dir, nil
}

// home is the folder that appears by rename, and holds the folder top.
func (p Package) home(root string) string {
	return filepath.Join(root, strings.ReplaceAll(p.String(), "/", "+"))
}

func cacheRoot() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache folder for the tests' npm packages: %w", err)
	}
	return filepath.Join(cache, "bellglass-tests"), nil
}
