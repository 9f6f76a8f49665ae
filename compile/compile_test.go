package compile_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/vfs"
)

// compiled compiles files, whose contents are given by path.
func compiled(t *testing.T, c *compile.Compiler, texts map[string]string) compile.Result {
	t.Helper()
	contents := map[string][]byte{}
	for path, text := range texts {
		contents[path] = []byte(text)
	}
	files, err := vfs.NewStore(1<<30).Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Compile(t.Context(), compile.Input{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// served returns a file of a result without its source map, or "".
func served(t *testing.T, r compile.Result, path string) string {
	t.Helper()
	entry, ok := r.Served.Lookup(path)
	if !ok {
		return ""
	}
	blob, _ := r.Served.Blob(entry.Hash)
	text, err := blob.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := strings.Cut(string(text), "//# sourceMappingURL=")
	return code
}

// mistakes returns the diagnostics as lines.
func mistakes(r compile.Result) []string {
	var lines []string
	for _, d := range r.Diagnostics {
		lines = append(lines, fmt.Sprintf("%s %s:%d:%d: %s", d.Severity, d.File, d.Line, d.Column, d.Text))
	}
	return lines
}

// Each row has files besides /main.ts, the text of /main.ts, and what its script must contain.
func TestCompile(t *testing.T) {
	c := compile.New(compile.InProcess{})
	for name, row := range map[string]struct {
		files map[string]string
		main  string
		want  string
	}{
		"types go":                          {nil, "export const a: number = 1 as const", "var a = 1;"},
		"a missing extension":               {map[string]string{"/a.ts": "export default 1"}, "import a from './a'; a", `import a from "/a.ts"`},
		"JavaScript before TypeScript":      {map[string]string{"/a.ts": "export default 1", "/a.js": "export default 1"}, "import a from './a'; a", `import a from "/a.js"`},
		"the extension of the output":       {map[string]string{"/a.tsx": "export default 1"}, "import a from './a.js'; a", `import a from "/a.tsx"`},
		"a folder":                          {map[string]string{"/a/index.tsx": "export default 1"}, "import a from './a'; a", `import a from "/a/index.tsx"`},
		"from the root":                     {map[string]string{"/b/a.ts": "export default 1"}, "import a from '/b/a'; a", `import a from "/b/a.ts"`},
		"a query":                           {map[string]string{"/a.svg": "<svg/>"}, "import a from './a.svg?v=1'; a", `import a from "/a.svg?v=1"`},
		"a query that asks for the address": {map[string]string{"/a.ts": "1"}, "import a from './a?url'; a", `import a from "/a.ts%3Furl.js"`},
		"a path with blanks":                {map[string]string{"/a b.ts": "export default 1"}, "import a from './a b'; a", `import a from "/a%20b.ts"`},
		"a dynamic import":                  {map[string]string{"/a.ts": "export default 1"}, "import('./a')", `import("/a.ts")`},
		"export from":                       {map[string]string{"/a.ts": "export const x = 1"}, "export { x } from './a'; export * from './a'", `export * from "/a.ts"`},
		"a URL":                             {nil, "import a from 'https://esm.sh/a'; a", `import a from "https://esm.sh/a"`},
		"an import map":                     {map[string]string{"/index.html": `<script type="importmap">{"imports": {"a": "/x.js", "b/": "/y/"}}</script>`}, "import a from 'a'; import b from 'b/c'; a; b", `from "b/c"`},
		"an import map before the options":  {map[string]string{"/a.ts": "export default 1", "/tsconfig.json": `{"compilerOptions":{"paths":{"a":["./a.ts"]}}}`, "/index.html": `<script type="importmap">{"imports": {"a": "/x.js"}}</script>`}, "import a from 'a'; a", `import a from "a"`},
		"paths":                             {map[string]string{"/src/a.ts": "export default 1", "/tsconfig.json": `{"compilerOptions":{"baseUrl":"./src","paths":{"@/*":["*"]},}, // comment` + "\n}"}, "import a from '@/a'; a", `import a from "/src/a.ts"`},
		"paths without an asterisk":         {map[string]string{"/src/a.ts": "export default 1", "/tsconfig.json": `{"compilerOptions":{"paths":{"the-a":["src/a"]}}}`}, "import a from 'the-a'; a", `import a from "/src/a.ts"`},
		"extended options":                  {map[string]string{"/base.json": `{"compilerOptions":{"experimentalDecorators":true}}`, "/tsconfig.json": `{"extends":"./base"}`}, "declare const d: any; @d class A {}", "__decorateClass"},
		"projects of a solution":            {map[string]string{"/tsconfig.app.json": `{"compilerOptions":{"paths":{"~/*":["./src/*"]}}}`, "/src/a.ts": "export default 1", "/tsconfig.json": `{"files":[],"references":[{"path":"./tsconfig.app.json"}]}`}, "import a from '~/a'; a", `import a from "/src/a.ts"`},
		"decorators":                        {nil, "declare const d: any; @d class A {}", "__decorat"},
		"the environment of Vite":           {nil, "export default import.meta.env.MODE", `"development"`},
		"the environment of Node":           {nil, "export default process.env.NODE_ENV", `"development"`},
		"the address of the module":         {nil, "export default import.meta.url", "import.meta.url"},
		"an optional package":               {nil, "export default await import('left-pad').catch(() => 0)", `import("left-pad")`},
		"a source map":                      {nil, "export default 1", "main_default"},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(row.files)
			if files == nil {
				files = map[string]string{}
			}
			files["/main.ts"] = row.main
			r := compiled(t, c, files)
			if lines := mistakes(r); len(lines) > 0 {
				t.Errorf("the diagnostics are %q", lines)
			}
			if code := served(t, r, compile.ScriptPath("/main.ts")); !strings.Contains(code, row.want) {
				t.Errorf("the script is\n%s, want it to contain %s", code, row.want)
			}
			if source := served(t, r, "/main.ts"); source != row.main {
				t.Errorf("the file has become %q", source)
			}
		})
	}
}

// A query says what an import wants of a file.
func TestQueries(t *testing.T) {
	files := map[string]string{"/a.ts": "export const a: string = '</script>\u2028'", "/a.css": "a{}", "/big.txt": strings.Repeat("x", 1<<20+1)}
	for query, want := range map[string]string{
		"/a.ts?raw":     `export default "export const a: string = '\u003c/script\u003e` + "\\u2028" + `'";`,
		"/a.ts?url":     `export default "/a.ts";`,
		"/a.css?inline": `export default "a{}";`,
		"/a.ts?worker":  `super("/a.ts", { ...options, type: 'module' })`,
		"/big.txt?raw":  "CompileError",
	} {
		main := maps.Clone(files)
		main["/main.ts"] = "import it from '" + query + "'; it"
		r := compiled(t, compile.New(compile.InProcess{}), main)
		if code := served(t, r, query+".js"); !strings.Contains(code, want) {
			t.Errorf("%s is\n%s, want it to contain %s", query, code, want)
		}
		if isBig := strings.HasPrefix(query, "/big"); (len(mistakes(r)) > 0) != isBig {
			t.Errorf("%s has the diagnostics %q", query, mistakes(r))
		}
	}
}

// A file that is imported gets a module, and no other file does.
func TestImportedFiles(t *testing.T) {
	r := compiled(t, compile.New(compile.InProcess{}), map[string]string{
		"/main.ts":      "import './a.css'; import m from './b.module.css'; import j, { n } from './c.json'; import u from './d.png'; m; j; n; u",
		"/a.css":        "p { color: red }",
		"/b.module.css": ".x { background: url(./d.png) }",
		"/c.json":       `{ "n": 1, "not a name": 2 }`,
		"/d.png":        "png", "/e.png": "png", "/f.css": "", "/g.json": "{}",
	})
	for _, row := range []struct{ path, want string }{
		{"/a.css", `"/a.css"`},
		{"/b.module.css", `x: "b_module_`},
		{"/b.module.css", "url(/d.png)"},
		{"/c.json", `as "not a name"`},
		{"/d.png", `export default "/d.png";`},
	} {
		if got := served(t, r, compile.ScriptPath(row.path)); !strings.Contains(got, row.want) {
			t.Errorf("%s is\n%s, want it to contain %s", row.path, got, row.want)
		}
	}
	for _, path := range []string{compile.ScriptPath("/e.png"), compile.ScriptPath("/f.css"), compile.ScriptPath("/g.json")} {
		if got := served(t, r, path); got != "" {
			t.Errorf("%s is\n%s, want nothing", path, got)
		}
	}
}

// Two CSS modules of one name have no class in common.
func TestStyleModulesAreApart(t *testing.T) {
	r := compiled(t, compile.New(compile.InProcess{}), map[string]string{
		"/main.ts":        "import a from './a/x.module.css'; import b from './b/x.module.css'; a; b",
		"/a/x.module.css": ".same { color: red }", "/b/x.module.css": ".same { color: blue }",
	})
	class := regexp.MustCompile(`\.(x_module_\w+_same) `)
	a, b := class.FindStringSubmatch(served(t, r, compile.ScriptPath("/a/x.module.css"))), class.FindStringSubmatch(served(t, r, compile.ScriptPath("/b/x.module.css")))
	if a == nil || b == nil || a[1] == b[1] {
		t.Errorf("the classes are %q and %q", a, b)
	}
}

// JavaScript that a browser runs as it is stays as it is.
func TestJavaScript(t *testing.T) {
	r := compiled(t, compile.New(compile.InProcess{}), map[string]string{
		"/same.js":                 "import { a } from './a.js'; import 'https://esm.sh/x'; import gone from './gone.js'; import bare from 'bare'; with (a) {}",
		"/a.js":                    "export const a = 1",
		"/short.js":                "import { a } from './a'; a",
		"/jsx.js":                  "/** @jsx h */ import { a } from './a.js'; export default () => <b>{a}</b>",
		"/data.js":                 "import d from './d.json'; d",
		"/d.json":                  "{}",
		"/commonjs.js":             "module.exports = require('./a')",
		"/node_modules/p/index.ts": "export const a: number = 1",
		"/types.d.ts":              "export type A = string",
	})
	if len(r.Diagnostics) > 0 {
		t.Errorf("the diagnostics are %q", mistakes(r))
	}
	var made []string
	for entry := range r.Served.Entries() {
		if strings.HasPrefix(entry.Path, "/.bellglass/") {
			made = append(made, entry.Path)
		}
	}
	want := []string{compile.ScriptPath("/d.json"), compile.ScriptPath("/jsx.js"), compile.ScriptPath("/short.js")}
	if !slices.Equal(made, want) {
		t.Errorf("there are %q, want %q", made, want)
	}
}

// A project has files for its tools, whose packages no page needs.
func TestFilesForTools(t *testing.T) {
	const wrong = "import x from 'no-such-package'; export default x"
	r := compiled(t, compile.New(compile.InProcess{}), map[string]string{
		"/vite.config.ts": wrong, "/src/app.test.tsx": wrong, "/src/__tests__/app.tsx": wrong,
		"/src/app.config.ts": wrong, "/used.config.ts": wrong, "/main.ts": "import './used.config'",
	})
	var files []string
	for _, d := range r.Diagnostics {
		files = append(files, d.File)
	}
	if want := []string{"/src/app.config.ts", "/used.config.ts"}; !slices.Equal(files, want) {
		t.Errorf("the diagnostics are about %q, want %q", files, want)
	}
}

// A project's folder public is at the root, too, where its files do not stand in the way.
func TestPublicFolder(t *testing.T) {
	files := map[string]string{"/index.html": "<p>", "/public/vite.svg": "<svg/>", "/public/index.html": "other", "/public/deep/a.txt": "a", "/publicity.txt": "no",
		"/public/.bellglass/script/x": "reserved", "/public/publicity.txt/x": "below a file", "/public/over": "over a folder", "/over/x": "x",
	}
	r := compiled(t, compile.New(compile.InProcess{}), files)
	if got := served(t, r, "/vite.svg"); got != "" {
		t.Errorf("a folder that is no project has /vite.svg: %q", got)
	}
	files["/package.json"] = "{}"
	r = compiled(t, compile.New(compile.InProcess{}), files)
	for path, want := range map[string]string{"/vite.svg": "<svg/>", "/index.html": "<p>", "/deep/a.txt": "a", "/public/vite.svg": "<svg/>", "/ity.txt": "", "/.bellglass/script/x": "", "/publicity.txt/x": "", "/over": "", "/over/x": "x"} {
		if got := served(t, r, path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

func TestNothingToCompile(t *testing.T) {
	files, err := vfs.NewStore(1<<20).Snapshot(map[string][]byte{"/index.html": []byte("<p>"), "/a.js": []byte("1")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	r, err := compile.New(compile.InProcess{}).Compile(t.Context(), compile.Input{Files: files})
	if err != nil || r.Served != files {
		t.Errorf("the files became another snapshot (%v)", err)
	}
}
