package transform

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/evanw/esbuild/pkg/api"
)

// A Name is a name that a source imports from another module, or re-exports.
type Name struct {
	Specifier string
	Name      string
	// Line counts from 1. Column counts UTF-16 code units from 1, as browsers do.
	Line, Column int
	SourceLine   string
}

// MaxNames is the maximum number of [Names], and of the names in [Output.Imports].
const MaxNames = 1000

// Names returns the names that the source imports, at most [MaxNames]. esbuild has no function for
// that, but it reports each import of a name that a module does not export. So every import gets a
// module without exports.
func Names(s Source) (names []Name) {
	if Refused(s) != nil {
		return nil
	}
	// Each error contains the path of the module. A number is short, and a specifier can be long.
	var specifiers []string
	numbers := map[string]int{}
	result := bundle(s, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if args.Kind != api.ResolveJSImportStatement {
			return api.OnResolveResult{Path: args.Path, External: true}, nil
		}
		if _, ok := numbers[args.Path]; !ok {
			numbers[args.Path] = len(specifiers)
			specifiers = append(specifiers, args.Path)
		}
		return api.OnResolveResult{Path: strconv.Itoa(numbers[args.Path]), Namespace: "empty"}, nil
	}, func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "empty"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			contents := "export {}"
			return api.OnLoadResult{Contents: &contents}, nil
		})
	})
	var last column
	for _, m := range result.Errors {
		var module, name string
		if n, _ := fmt.Sscanf(m.Text, "No matching export in %q for import %q", &module, &name); n != 2 || m.Location == nil {
			continue
		}
		number, err := strconv.Atoi(strings.TrimPrefix(module, "empty:"))
		if err != nil {
			continue
		}
		names = append(names, Name{specifiers[number], name, m.Location.Line, last.at(m.Location), shortened(m.Location.LineText)})
		if len(names) == MaxNames {
			break
		}
	}
	return names
}

// A column converts esbuild's columns, which count bytes. It continues from the previous name in the
// same line, because a line of minified code can have 1 MiB and 1,000 names.
type column struct {
	line         int
	bytes, units int
}

func (c *column) at(l *api.Location) int {
	if l.Line != c.line || l.Column < c.bytes {
		*c = column{line: l.Line}
	}
	end := min(l.Column, len(l.LineText))
	for _, r := range l.LineText[c.bytes:end] {
		c.units += utf16.RuneLen(r)
	}
	c.bytes = end
	return c.units + 1
}
