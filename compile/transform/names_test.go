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
		"no import":         {Source{Language: JavaScript, Text: "const from = 1"}, nil},
		"an error":          {Source{Language: JavaScript, Text: "import { a } from './x'\nlet = ="}, nil},
		"too large to read": {Source{Language: JavaScript, Text: "import { a } from './x'" + strings.Repeat(" ", MaxSource)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			row.source.Path = "/a"
			names := Scan(row.source).Names
			if diff := cmp.Diff(row.want, names, cmpopts.IgnoreFields(Name{}, "SourceLine")); diff != "" {
				t.Error(diff)
			}
			for _, n := range names {
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
	if names := Scan(s).Names; len(names) != MaxNames || names[MaxNames-1].Name != "a999" {
		t.Errorf("%d names", len(names))
	}
}
