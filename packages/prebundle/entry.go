package prebundle

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bellglass/bellglass/packages/commonjs"
)

// identifier matches names that an import can have without quotes.
var identifier = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*$`)

// commonJSEntry returns an ES module that exports what a CommonJS file does: each name that
// the file's code shows, the default, and module.exports for packages that require it.
func (b *builder) commonJSEntry(file string) string {
	names, stars := map[string]bool{}, map[string]bool{}
	b.collect(file, names, stars, map[string]bool{})
	var text strings.Builder
	fmt.Fprintf(&text, "var m = require(%q);\n", "/"+file)
	// As bundlers do it: the default of what was an ES module is its default.
	fmt.Fprintf(&text, "export default m && m.__esModule && 'default' in m ? m.default : m;\nexport { m as %q };\n", moduleExports)
	sorted := []string{}
	for name := range names {
		if identifier.MatchString(name) {
			sorted = append(sorted, name)
		}
	}
	slices.Sort(sorted)
	for i, name := range sorted {
		fmt.Fprintf(&text, "var _%d = m.%s;\nexport { _%d as %s };\n", i, name, i, name)
	}
	starred := []string{}
	for star := range stars {
		starred = append(starred, star)
	}
	slices.Sort(starred)
	for _, star := range starred {
		fmt.Fprintf(&text, "export * from %q;\n", star)
	}
	return text.String()
}

// collect adds the names that a CommonJS file exports, and what else has names: ES modules
// of the package by their path, and other packages.
func (b *builder) collect(file string, names, stars, seen map[string]bool) {
	if seen[file] || file == nothing {
		return
	}
	seen[file] = true
	source, err := b.in.Files.ReadFile(file)
	if err != nil {
		return
	}
	switch formatOf(file, source) {
	case formatModule:
		if len(seen) > 1 {
			stars["/"+file] = true
			return
		}
	case formatStyle, formatOther:
		return
	}
	lowered := api.Transform(string(source), api.TransformOptions{
		Loader: loaderOf(file), Define: defines(b.in.Development), LogLevel: api.LogLevelSilent,
		// What the analysis can read. It also reads big integers, which cannot be lowered.
		Target: api.ES2017, Supported: map[string]bool{"bigint": true},
		LegalComments: api.LegalCommentsNone,
	})
	if len(lowered.Errors) > 0 {
		return // the bundle has the same error
	}
	m, err := commonjs.Analyze(file, string(lowered.Code))
	if err != nil {
		b.diagnose("only the default export of %s can be imported: %v", b.locator.id, err)
		return
	}
	for _, name := range m.Names {
		names[name] = true
	}
	for _, specifier := range m.Reexports {
		where := b.locate(specifier, file, "require")
		switch where.kind {
		case inside:
			b.collect(where.file, names, stars, seen)
		case another:
			stars[specifier] = true
		}
	}
}

// outputName returns the path of a subpath's module, without an extension.
func outputName(subpath string) string {
	if subpath == "." {
		return "index"
	}
	return strings.TrimSuffix(path.Clean(subpath), ".js")
}
