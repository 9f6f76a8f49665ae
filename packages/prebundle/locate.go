package prebundle

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// A locator finds files of a package, as bundlers do.
type locator struct {
	id          string // NAME@VERSION
	files       Files
	manifest    *manifest
	development bool
}

// conditions returns the words for import or require.
func (l *locator) conditions(kind string) conditions {
	if l.development {
		return conditions{"browser", "module", "development", kind}
	}
	return conditions{"browser", "module", "production", kind}
}

// extensions are tried in this order for a path that has none.
var extensions = []string{".js", ".mjs", ".cjs", ".json", ".jsx", ".ts", ".tsx", ".mts", ".cts", ".css"}

// subpath returns the file for a subpath such as "." or "./client".
func (l *locator) subpath(subpath, kind string) (string, error) {
	fail := func(reason string) (string, error) {
		return "", &SubpathError{Package: l.id, Subpath: subpath, Has: l.manifest.subpaths(), Reason: reason}
	}
	if !plainSubpath(subpath) {
		return fail("no package can have it")
	}
	if l.manifest.exports != nil {
		to, ok := target(l.manifest.exports, subpath, l.conditions(kind))
		if !ok {
			return fail("its package.json does not export it")
		}
		name := path.Clean(to)
		if !strings.HasPrefix(to, "./") || !l.files.Exists(name) {
			// Some packages leave out the extension, against the rules.
			if name, ok = l.file(name); !ok {
				return fail(fmt.Sprintf("its package.json names the file %q, which it lacks", to))
			}
		}
		return l.browserFile(name), nil
	}
	if subpath == "." {
		if name, ok := l.main(); ok {
			return l.browserFile(name), nil
		}
		return fail("it has no main file; a package of types or of styles has none")
	}
	if name, ok := l.file(path.Clean(subpath)); ok {
		return l.browserFile(name), nil
	}
	return fail("it has no such file")
}

// plainSubpath reports whether a subpath can become the path of a virtual file.
func plainSubpath(subpath string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(subpath, "./"), "/") {
		if part == "" || part == ".." || part == "." && subpath != "." {
			return false
		}
	}
	return !strings.ContainsAny(subpath, `\?#%`) && !strings.ContainsFunc(subpath, unicode.IsControl)
}

// main returns the entry of a package without exports. A browser's entry that is no ES module
// comes after one that is.
func (l *locator) main() (string, bool) {
	m := l.manifest
	browser, hasBrowser := l.named(m.browser)
	for _, each := range []string{m.module, m.jsnext} {
		if name, ok := l.named(each); ok {
			if hasBrowser && l.isModule(browser) {
				return browser, true
			}
			return name, true
		}
	}
	if hasBrowser {
		return browser, true
	}
	if name, ok := l.named(m.main); ok {
		return name, true
	}
	return l.file("index")
}

func (l *locator) named(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	if name = path.Clean(strings.TrimPrefix(name, "/")); name == "." {
		return l.file("index")
	}
	return l.file(name)
}

// isModule reports whether a file is an ES module.
func (l *locator) isModule(name string) bool {
	source, err := l.files.ReadFile(name)
	return err == nil && formatOf(name, source) == formatModule
}

// file returns the file for a path that may lack its extension, or be a folder.
func (l *locator) file(name string) (string, bool) {
	if name == ".." || strings.HasPrefix(name, "../") || path.IsAbs(name) {
		return "", false
	}
	if name != "." && l.files.Exists(name) {
		return name, true
	}
	for _, extension := range extensions {
		if name != "." && l.files.Exists(name+extension) {
			return name + extension, true
		}
	}
	// A TypeScript source imports what it will become.
	if base, ok := strings.CutSuffix(name, ".js"); ok {
		for _, extension := range []string{".ts", ".tsx"} {
			if l.files.Exists(base + extension) {
				return base + extension, true
			}
		}
	}
	if text, err := l.files.ReadFile(path.Join(name, "package.json")); err == nil && name != "." {
		if inner, err := parseManifest(text); err == nil {
			for _, main := range []string{inner.module, inner.browser, inner.main} {
				if main != "" {
					if found, ok := l.file(path.Join(name, main)); ok {
						return found, true
					}
				}
			}
		}
	}
	for _, extension := range extensions {
		if index := path.Join(name, "index"+extension); l.files.Exists(index) {
			return index, true
		}
	}
	return "", false
}

// nothing is the file that stands for one that browsers do not get.
const nothing = "\x00nothing"

// browserFile applies the field browser of package.json to a file.
func (l *locator) browserFile(name string) string {
	for _, key := range []string{"./" + name, name, "./" + strings.TrimSuffix(name, path.Ext(name))} {
		to, ok := l.manifest.replace[key]
		if !ok {
			continue
		}
		if to == nil {
			return nothing
		}
		if found, ok := l.file(path.Clean(*to)); ok {
			return found
		}
	}
	return name
}
