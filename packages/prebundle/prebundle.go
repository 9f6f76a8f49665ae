// Package prebundle makes ES modules for browsers of a package from npm.
//
// A caller wants [Build]. It bundles those subpaths of one package that somebody imports, and
// leaves imports of other packages as imports of their virtual paths, so that a page has each
// package once.
//
// A subpath becomes a module, and what several have in common a chunk. CommonJS becomes an ES
// module whose exports have names (package commonjs finds them). Style sheets stay style
// sheets. No code of the package runs.
//
// # Files
//
//   - prebundle.go: [Build].
//   - manifest.go, exports.go, locate.go: package.json, and which file a specifier means.
//   - plugin.go: how esbuild reads a package.
//   - entry.go, format.go: what CommonJS exports, and what is CommonJS.
//   - builtin.go: modules in place of those that browsers lack.
package prebundle

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// Version changes when the same package would become other files. The version of esbuild is
// apart from it.
const Version = "1"

// Files are the files of a package by their path in it, such as "dist/index.js".
type Files interface {
	ReadFile(name string) ([]byte, error)
	Exists(name string) bool
}

// An Input is a package with what is wanted of it.
type Input struct {
	Name, Version string
	Files         Files
	Subpaths      []string // that must exist, such as "." and "./client"
	Optional      []string // that other packages import; one that is missing throws when it runs
	Dir           string   // virtual folder of the package, without a slash at the end
	Development   bool     // the build for development instead of production

	// Other returns the virtual folder of another package, or "" if this package cannot import
	// it. name is what stands in the import. Build calls it concurrently.
	Other func(name string) string
}

// A Result is the files of a package for a browser.
type Result struct {
	Files   map[string][]byte // by path in the virtual folder
	Entries map[string]string // path of the module or style sheet of each subpath
	Imports []Import          // what it needs of other packages, sorted
	Reads   []string          // files of the package that are in the result, sorted
	Notes   []string          // what may not work, for people
}

// An Import is a subpath of another package.
type Import struct {
	Name    string // what stands in the import
	Subpath string
}

// Build bundles the subpaths. The error is a [*SubpathError] if there is no such subpath.
func Build(in Input) (*Result, error) {
	m, err := readManifest(in.Files)
	if err != nil {
		return nil, fmt.Errorf("%s@%s: %w", in.Name, in.Version, err)
	}
	b := &builder{
		in:      in,
		locator: &locator{id: in.Name + "@" + in.Version, files: in.Files, manifest: m, development: in.Development},
		result:  &Result{Files: map[string][]byte{}, Entries: map[string]string{}},
		entries: map[string]string{}, imports: map[Import]bool{}, styles: map[string]bool{}, reads: map[string]bool{"package.json": true},
	}
	scripts, styles, err := b.sort()
	if err != nil {
		return nil, err
	}
	if err := b.bundle(scripts, true); err != nil {
		return nil, err
	}
	for _, file := range slices.Sorted(maps.Keys(b.styles)) {
		styles = append(styles, api.EntryPoint{InputPath: "/" + file, OutputPath: strings.TrimSuffix(stylePath(file), ".css")})
	}
	if err := b.bundle(styles, false); err != nil {
		return nil, err
	}
	for each := range b.imports {
		b.result.Imports = append(b.result.Imports, each)
	}
	slices.SortFunc(b.result.Imports, func(x, y Import) int {
		return strings.Compare(x.Name+x.Subpath, y.Name+y.Subpath)
	})
	b.result.Reads = slices.Sorted(maps.Keys(b.reads))
	return b.result, nil
}

// A builder makes one result. esbuild calls its methods concurrently.
type builder struct {
	in      Input
	locator *locator
	entries map[string]string // text of the modules in place of CommonJS entries, by file

	mu      sync.Mutex // guards the rest
	result  *Result
	imports map[Import]bool
	styles  map[string]bool // style sheets that scripts import
	reads   map[string]bool
}

func (b *builder) diagnose(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.result.Notes, text) {
		b.result.Notes = append(b.result.Notes, text)
	}
}

// note records something under the lock.
func note[K comparable](b *builder, in map[K]bool, what K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	in[what] = true
}

// sort finds the file of each subpath.
func (b *builder) sort() (scripts, styles []api.EntryPoint, err error) {
	taken := map[string]string{} // by output: the file
	for _, subpath := range slices.Concat(b.in.Subpaths, b.in.Optional) {
		if b.result.Entries[subpath] != "" {
			continue
		}
		file, err := b.locator.subpath(subpath, "import")
		if err != nil && slices.Contains(b.in.Subpaths, subpath) {
			return nil, nil, err
		} else if err != nil {
			b.diagnose("another package imports it, but %v", err)
			output := outputName(subpath) + ".js"
			b.result.Entries[subpath] = output
			b.result.Files[output] = fmt.Appendf(nil, "throw new Error(%q)\n", err.Error())
			continue
		}
		var source []byte
		if file != nothing {
			if source, err = b.in.Files.ReadFile(file); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", b.locator.id, err)
			}
		}
		output := outputName(subpath)
		of, extension := formatOf(file, source), ".js"
		if of == formatStyle {
			extension, output = ".css", strings.TrimSuffix(output, ".css")
		}
		b.result.Entries[subpath] = output + extension
		if other, ok := taken[output+extension]; ok {
			if other != file {
				return nil, nil, fmt.Errorf("%s: two subpaths would be %s, for the files %s and %s; import one of the two", b.locator.id, output+extension, other, file)
			}
			continue
		}
		taken[output+extension] = file
		point := api.EntryPoint{InputPath: "/" + file, OutputPath: output}
		if of == formatCommonJS {
			b.entries[file] = b.commonJSEntry(file)
			point.InputPath = "\x00entry/" + file
		}
		if of == formatStyle {
			styles = append(styles, point)
		} else {
			scripts = append(scripts, point)
		}
	}
	return scripts, styles, nil
}

// bundle runs esbuild and adds its output.
func (b *builder) bundle(points []api.EntryPoint, splitting bool) error {
	if len(points) == 0 {
		return nil
	}
	root, err := filepath.Abs("bellglass-output") // never written
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: points,
		Bundle:              true,
		Splitting:           splitting,
		Format:              api.FormatESModule,
		Platform:            api.PlatformBrowser,
		Target:              api.ES2022,
		Charset:             api.CharsetUTF8,
		Outdir:              root,
		PublicPath:          b.in.Dir,
		ChunkNames:          "chunks/[name]-[hash]",
		AssetNames:          "assets/[name]-[hash]",
		MinifySyntax:        true,
		MinifyWhitespace:    true,
		LegalComments:       api.LegalCommentsEndOfFile,
		Define:              defines(b.in.Development),
		Plugins:             []api.Plugin{b.plugin()},
		LogLevel:            api.LogLevelSilent,
		Write:               false,
	})
	if len(result.Errors) > 0 {
		shown := result.Errors[:min(len(result.Errors), 5)]
		text := api.FormatMessages(shown, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return fmt.Errorf("%s cannot be bundled: %w", b.locator.id, errors.New(strings.TrimSpace(strings.Join(text, "\n"))))
	}
	for _, file := range result.OutputFiles {
		name, err := filepath.Rel(root, file.Path)
		if err != nil {
			return err
		}
		b.result.Files[filepath.ToSlash(name)] = file.Contents
	}
	return nil
}

// stylePath is where a style sheet goes that a script imports.
func stylePath(file string) string {
	return path.Join("styles", strings.TrimSuffix(file, ".css")+".css")
}
