package compile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
)

// Each row has files, and the diagnostics that they must have. The module of the faulty file
// throws the first error, and exports what others import from it.
func TestMistakes(t *testing.T) {
	c := compile.New(compile.InProcess{})
	for name, row := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"syntax":                     {map[string]string{"/a.ts": "const x = ;\n"}, []string{"error /a.ts:1:11: Unexpected \";\""}},
		"the second line":            {map[string]string{"/a.ts": "// ok\nlet 1x"}, []string{`error /a.ts:2:6: Syntax error "x"`}},
		"columns of browsers":        {map[string]string{"/a.ts": "const s = '😀é'; const x = ;"}, []string{"error /a.ts:1:28: Unexpected \";\""}},
		"an open element":            {map[string]string{"/a.tsx": "export default <p>"}, []string{`error /a.tsx:1:19: Unexpected end of file before a closing "p" tag`}},
		"a missing file":             {map[string]string{"/a.ts": "import './b'"}, []string{"error /a.ts:1:8: The sandbox has no file /b, nor one with an extension that may be left out (.mjs, .js, .mts, .ts, .jsx, .tsx, .json)."}},
		"a missing file of import()": {map[string]string{"/a.ts": "import('./b')"}, []string{"error /a.ts:1:8: The sandbox has no file /b, nor one with an extension that may be left out (.mjs, .js, .mts, .ts, .jsx, .tsx, .json)."}},
		"an unknown package":         {map[string]string{"/a.ts": "import x from 'left-pad'; x"}, []string{`error /a.ts:1:15: There is no package "left-pad" here, and no import map names it. Import the file by a path that begins with ./ or /, or a module by its URL.`}},
		"an unknown runtime of JSX":  {map[string]string{"/a.tsx": "export default <p/>"}, []string{`error /a.tsx:1:16: There is no package "react/jsx-runtime" here, and no import map names it. Import the file by a path that begins with ./ or /, or a module by its URL.`}},
		"a module of Node.js":        {map[string]string{"/a.ts": "import fs from 'fs/promises'; fs"}, []string{`error /a.ts:1:16: "fs/promises" is a module of Node.js, which browsers lack. Use what the browser has instead, or a package for browsers.`}},
		"a path that leads nowhere":  {map[string]string{"/a.ts": "import '@/gone'", "/tsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["./src/*", "./lib/*"]}}}`}, []string{`error /a.ts:1:8: The paths of tsconfig.json lead "@/gone" to /src/gone or /lib/gone, and the sandbox has no such file.`}},
		"JSX in a .ts":               {map[string]string{"/a.ts": "export default <p>a</p>"}, []string{"error /a.ts:1:24: The file has JSX in it, so its name must end with .tsx; rename it to a.tsx."}},
		"a missing base":             {map[string]string{"/a.ts": "1", "/tsconfig.json": `{"extends": "./gone"}`}, []string{"error /tsconfig.json:1:13: The file extends /gone.json, and the sandbox has no such file."}},
		"a missing export":           {map[string]string{"/a.ts": "import { y } from './b'; y", "/b.ts": "export const x = 1"}, []string{`error /a.ts:1:10: /b.ts does not export "y"`}},
		"a missing default":          {map[string]string{"/a.ts": "import y from './b'; y", "/b.ts": "export const x = 1"}, []string{`error /a.ts:1:8: /b.ts does not export "default"`}},
		"a missing type":             {map[string]string{"/a.ts": "import { T } from './b'; export const t: T = 1", "/b.ts": "export type T = number"}, nil},
		"exports of others":          {map[string]string{"/a.ts": "import { y } from './b'; y", "/b.ts": "export * from './c'", "/c.ts": "export const y = 1"}, nil},
		"only its own":               {map[string]string{"/a.ts": "import { y } from './b'; y", "/b.ts": "export const y = ;"}, []string{"error /b.ts:1:18: Unexpected \";\""}},
		"JSON":                       {map[string]string{"/a.ts": "import d from './d.json'; d", "/d.json": "{\n  \"a\": 1,\n}"}, []string{"error /d.json:2:9: JSON does not support trailing commas"}},
		"a CSS module":               {map[string]string{"/a.ts": "import d from './d.module.css'; d", "/d.module.css": "@import './e.css';"}, []string{"error /d.module.css:1:9: A CSS module of Bellglass refers to no other style sheet. Import the other file from JavaScript."}},
		"tsconfig.json":              {map[string]string{"/a.ts": "1", "/tsconfig.json": "{\n  \"compilerOptions\": {,}\n}"}, []string{"error /tsconfig.json:2:"}},
		"the type of an option":      {map[string]string{"/a.ts": "1", "/tsconfig.json": `{"compilerOptions": 1}`}, []string{"error /tsconfig.json:1:22: The value of compilerOptions is a number, which it cannot be."}},
		"two files":                  {map[string]string{"/a.ts": "if", "/b.ts": "if"}, []string{"error /a.ts:1:3: ", "error /b.ts:1:3: "}},
		"a huge file":                {map[string]string{"/a.ts": strings.Repeat("a()\n", 1<<18+1)}, []string{"error /a.ts:1:1: The file has 1048580 bytes, and a source that Bellglass compiles has at most 1048576. Split it, or compile it yourself."}},
	} {
		t.Run(name, func(t *testing.T) {
			r := compiled(t, c, row.files)
			lines := mistakes(r)
			if len(lines) != len(row.want) || !slices.EqualFunc(lines, row.want, strings.HasPrefix) {
				t.Errorf("the diagnostics are\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(row.want, "\n"))
			}
			for _, d := range r.Diagnostics {
				if strings.HasPrefix(d.File, "/tsconfig") {
					continue // is no module
				}
				if code := served(t, r, compile.ScriptPath(d.File)); !strings.Contains(code, "CompileError") {
					t.Errorf("the module of %s does not throw: %s", d.File, code)
				}
			}
		})
	}
}

// Otherwise the browser would say only that the name is missing.
func TestFaultyModuleExportsWhatIsImported(t *testing.T) {
	r := compiled(t, compile.New(compile.InProcess{}), map[string]string{
		"/a.ts": "import b, { c, d as e } from './b'; b; c; e",
		"/b.ts": "export const c = ;",
	})
	code := served(t, r, compile.ScriptPath("/b.ts"))
	for _, name := range []string{"default", "c", "d"} {
		if !strings.Contains(code, `missing as "`+name+`"`) {
			t.Errorf("the module does not export %q:\n%s", name, code)
		}
	}
}

// A result depends on nothing but the files, whatever the compiler has compiled before.
func TestResultsAreKept(t *testing.T) {
	c := compile.New(compile.InProcess{})
	first := map[string]string{"/a.ts": "import { x } from './b'; x", "/b.ts": "export const x = 1"}
	second := maps.Clone(first)
	second["/b.ts"] = "export const y = 1"
	third := map[string]string{"/a.ts": first["/a.ts"], "/b/index.ts": "export const x = 1"}
	for range 2 {
		for _, row := range []struct {
			files map[string]string
			count int
			want  string
		}{{first, 0, `from "/b.ts"`}, {second, 1, "CompileError"}, {third, 0, `from "/b/index.ts"`}} {
			r := compiled(t, c, row.files)
			if code := served(t, r, compile.ScriptPath("/a.ts")); len(r.Diagnostics) != row.count || !strings.Contains(code, row.want) {
				t.Errorf("the diagnostics are %q, and the script is\n%s, want it to contain %s", mistakes(r), code, row.want)
			}
		}
	}
}
