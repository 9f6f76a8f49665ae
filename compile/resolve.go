package compile

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/packages/nodejs"
	"github.com/bellglass/bellglass/vfs"
)

// Packages are what the names of packages lead to. Package packages has one for those of npm.
type Packages interface {
	// Bundle makes the modules that bare specifiers such as "react-dom/client" name. If it
	// fails, it has made none of them.
	Bundle(ctx context.Context, specifiers ...string) error
	// Resolve returns the virtual path of a module that has been made, or of a style sheet.
	Resolve(specifier string) (path string, ok bool)
	// Files returns all that has been made, by virtual path. Nobody changes the contents.
	Files() map[string][]byte
}

// extensions are those that an import may leave out, in the order in which they are tried.
var extensions = []string{".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"}

// written maps the extension that TypeScript wants in an import to those of the source.
var written = map[string][]string{".js": {".ts", ".tsx"}, ".mjs": {".mts"}, ".jsx": {".tsx"}}

// resolver resolves the imports of one state of a sandbox's files.
type resolver struct {
	files    *vfs.Snapshot
	packages Packages
	maps     importMaps
	// bare are the targets of specifiers that name packages.
	bare map[string]transform.Target
}

// resolve returns what a specifier in the file at from leads to. path is that of a file, or ""
// for anything else.
func (r *resolver) resolve(from, specifier string, c config) (target transform.Target, path string) {
	switch {
	case r.maps.has(specifier):
		return transform.Target{URL: specifier}, ""
	case strings.HasPrefix(specifier, "node:"):
		return transform.Target{URL: specifier, Problem: ofNode(specifier)}, ""
	case hasScheme(specifier):
		return transform.Target{URL: specifier}, ""
	case strings.HasPrefix(specifier, "/"), isRelative(specifier):
		return r.file(from, specifier)
	}
	if file, ok := r.mapped(specifier, c); ok {
		return transform.Target{URL: vfs.URLPath(file)}, file
	}
	target, ok := r.bare[specifier]
	switch {
	case ok && target.Problem == "" && isStyle(target.URL):
		return target, target.URL
	case ok && target.Problem == "":
		return target, ""
	}
	if places := c.places(specifier); places != nil {
		target = transform.Target{URL: specifier, Problem: fmt.Sprintf("The paths of tsconfig.json lead %q to %s, and the sandbox has no such file.", specifier, strings.Join(places, " or "))}
	} else if nodejs.HasModule(specifier) {
		target = transform.Target{URL: specifier, Problem: ofNode(specifier)}
	} else if !ok {
		target = transform.Target{URL: specifier, Problem: unknownPackage(specifier)}
	}
	return target, ""
}

// mapped returns the file that a specifier means by the paths of a configuration.
func (r *resolver) mapped(specifier string, c config) (string, bool) {
	for _, mapping := range c.paths {
		for _, candidate := range mapping.apply(specifier) {
			if file, ok := r.find(candidate); ok {
				return file, true
			}
		}
	}
	return "", false
}

// places returns the paths that a specifier means by the paths of the configuration. It leaves out
// a pattern that matches every specifier.
func (c config) places(specifier string) (all []string) {
	for _, mapping := range c.paths {
		if mapping.before+mapping.after != "" {
			all = append(all, mapping.apply(specifier)...)
		}
	}
	return all
}

// isBare reports whether a specifier names a package.
func (r *resolver) isBare(specifier string, c config) bool {
	if strings.HasPrefix(specifier, "/") || isRelative(specifier) || hasScheme(specifier) || r.maps.has(specifier) {
		return false
	}
	_, isFile := r.mapped(specifier, c)
	return !isFile
}

func isStyle(path string) bool { return strings.HasSuffix(path, ".css") }

func ofNode(specifier string) string {
	return fmt.Sprintf("%q is a module of Node.js, which browsers lack. Use what the browser has instead, or a package for browsers.", specifier)
}

func unknownPackage(specifier string) string {
	return fmt.Sprintf("There is no package %q here, and no import map names it. Import the file by a path that begins with ./ or /, or a module by its URL.", specifier)
}

// file resolves a specifier that is a path. It keeps a query or fragment in the URL, except the
// queries in query.go, which select another module.
func (r *resolver) file(from, specifier string) (transform.Target, string) {
	name, rest := specifier, ""
	if i := strings.IndexAny(specifier, "?#"); i >= 0 {
		name, rest = specifier[:i], specifier[i:]
	}
	if !strings.HasPrefix(name, "/") {
		name = path.Dir(from) + "/" + name
	}
	name = path.Clean(name)
	file, ok := r.find(name)
	if !ok {
		return transform.Target{URL: specifier, IsFile: true, Problem: fmt.Sprintf("The sandbox has no file %s, nor one with an extension that may be left out (%s).", name, strings.Join(extensions, ", "))}, ""
	}
	if _, _, is := cutQuery(rest); is {
		return transform.Target{URL: vfs.URLPath(queried(file, rest))}, file + rest
	}
	return transform.Target{URL: vfs.URLPath(file) + rest}, file
}

// find returns the file that a path without an extension, or of a folder, means.
func (r *resolver) find(name string) (string, bool) {
	if r.has(name) {
		return name, true
	}
	for _, extension := range extensions {
		if r.has(name + extension) {
			return name + extension, true
		}
	}
	extension := path.Ext(name)
	for _, source := range written[extension] {
		if file := strings.TrimSuffix(name, extension) + source; r.has(file) {
			return file, true
		}
	}
	for _, extension := range extensions {
		if file := path.Join(name, "index"+extension); r.has(file) {
			return file, true
		}
	}
	return "", false
}

func (r *resolver) has(file string) bool {
	_, ok := r.files.Lookup(file)
	return ok
}

// apply returns the paths that a specifier means by the mapping.
func (m mapping) apply(specifier string) (paths []string) {
	if !m.isPattern {
		if specifier == m.before {
			return m.targets
		}
		return nil
	}
	if len(specifier) < len(m.before)+len(m.after) || !strings.HasPrefix(specifier, m.before) || !strings.HasSuffix(specifier, m.after) {
		return nil
	}
	middle := specifier[len(m.before) : len(specifier)-len(m.after)]
	for _, target := range m.targets {
		paths = append(paths, path.Clean(strings.Replace(target, "*", middle, 1)))
	}
	return paths
}

func isRelative(specifier string) bool {
	return specifier == "." || specifier == ".." || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
}

// hasScheme reports whether the specifier is a URL (URL Standard, "scheme start state").
func hasScheme(specifier string) bool {
	scheme, _, found := strings.Cut(specifier, ":")
	if !found || scheme == "" || !isLetter(scheme[0]) {
		return strings.HasPrefix(specifier, "//")
	}
	return strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
