package transform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestNames(t *testing.T) {
	long := "/*" + strings.Repeat("ä😀", 1000) + "*/"
	for name, row := range map[string]struct {
		source Source
		want   []Name
	}{
		"kinds of imports": {
			Source{Language: JavaScript, Text: "import a, { b as c, 'd e' as f } from './x'\nimport * as all from './y'\nexport { g } from './x'\nimport './z'\nimport('./w')\nc(a, f, all.h)"},
			[]Name{{Specifier: "./x", Name: "default", Line: 1, Column: 8}, {Specifier: "./x", Name: "b", Line: 1, Column: 13}, {Specifier: "./x", Name: "d e", Line: 1, Column: 21}, {Specifier: "./x", Name: "g", Line: 3, Column: 10}},
		},
		"TypeScript leaves out what may be types": {
			Source{Language: TypeScript, Text: "import { A, b } from './x'\nexport { C } from './x'\nlet a: A = b"},
			[]Name{{Specifier: "./x", Name: "b", Line: 1, Column: 13}},
		},
		"two modules": {
			Source{Language: JavaScript, Text: "import { a } from './x'; import { a as b } from './y'\nexport { a, b }"},
			[]Name{{Specifier: "./x", Name: "a", Line: 1, Column: 10}, {Specifier: "./y", Name: "a", Line: 1, Column: 35}},
		},
		"columns are UTF-16": {
			Source{Language: JavaScript, Text: "\r\n" + long + "import { a } from './x';" + long + "import { b } from './x'\nexport { a, b }"},
			[]Name{{Specifier: "./x", Name: "a", Line: 2, Column: 3014}, {Specifier: "./x", Name: "b", Line: 2, Column: 6042}},
		},
		"lists of several lines": {
			Source{Language: JavaScript, Text: "import {\n  a, // one\n  b as c,\n} from './x'\nlet d = 1\nimport\n  e\n  from './y'\nd = [a, c, e]"},
			[]Name{{Specifier: "./x", Name: "a", Line: 2, Column: 3}, {Specifier: "./x", Name: "b", Line: 3, Column: 3}, {Specifier: "./y", Name: "default", Line: 7, Column: 3}},
		},
		"quotes and commas": {
			Source{Language: JavaScript, Text: `import { 'a, b' as c, "'d'" as d } from './"x"{}'; import e, * as f from "./'y'" with { type: 'json' }; export { c, d, e, f }`},
			[]Name{{Specifier: `./"x"{}`, Name: "a, b", Line: 1, Column: 10}, {Specifier: `./"x"{}`, Name: "'d'", Line: 1, Column: 23}, {Specifier: "./'y'", Name: "default", Line: 1, Column: 59}},
		},
		"escapes": {
			Source{Language: JavaScript, Text: `import { 'a\n' as b } from './x'; import { c } from './\u2028'; export { b, c }`},
			[]Name{{Specifier: "./x", Name: "a\n", Line: 1, Column: 10}, {Specifier: "./\u2028", Name: "c", Line: 1, Column: 44}},
		},
		"a text that looks like imports": {
			Source{Language: JavaScript, Text: "import { a } from './x'\nexport const text = `\nimport { b } from './y'\nimport {\nimport c\n${a}`"},
			[]Name{{Specifier: "./x", Name: "a", Line: 1, Column: 10}},
		},
		"no import":         {Source{Language: JavaScript, Text: "const from = 1"}, nil},
		"an error":          {Source{Language: JavaScript, Text: "import { a } from './x'\nlet = ="}, nil},
		"too large to read": {Source{Language: JavaScript, Text: "import { a } from './x'" + strings.Repeat(" ", MaxSource)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			row.source.Path = "/a"
			names := Names(row.source)
			if diff := cmp.Diff(row.want, names, cmpopts.IgnoreFields(Name{}, "SourceLine")); diff != "" {
				t.Error(diff)
			}
			scanned := Scan(row.source)
			if more := name == "escapes" || name == "a text that looks like imports"; scanned.HasMoreImports != more {
				t.Errorf("HasMoreImports is %v", scanned.HasMoreImports)
			}
			seen := map[Name]bool{}
			for _, i := range scanned.Imports {
				for _, name := range i.Names {
					seen[Name{Specifier: i.Specifier, Name: name}] = true
				}
			}
			for _, n := range names {
				if !scanned.HasMoreImports && !seen[Name{Specifier: n.Specifier, Name: n.Name}] {
					t.Errorf("Scan does not see that %s is imported from %s", n.Name, n.Specifier)
				}
				if line := strings.Split(row.source.Text, "\n")[n.Line-1]; n.SourceLine != shortened(line) {
					t.Errorf("the line of %s is %q", n.Name, n.SourceLine)
				}
			}
		})
	}
}

// A hostile source can import 100,000 names from a module with a long specifier.
func TestManyNames(t *testing.T) {
	var list []string
	for i := range 100_000 {
		list = append(list, fmt.Sprintf("a%d", i))
	}
	s := Source{Path: "/a.js", Language: JavaScript, Text: "export {" + strings.Join(list, ",") + "} from './" + strings.Repeat("b", 100_000) + "'"}
	if names := Names(s); len(names) != MaxNames || names[MaxNames-1].Name != "a999" {
		t.Errorf("%d names", len(names))
	}
	if out := Scan(s); len(out.Imports) > 0 || !out.HasMoreImports {
		t.Errorf("%d imports, more: %v", len(out.Imports), out.HasMoreImports)
	}
}
