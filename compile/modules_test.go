package compile_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/vfs"
)

// course compiles one state after another, as a sandbox does.
type course struct {
	t        *testing.T
	compiler *compile.Compiler
	store    *vfs.Store
	files    map[string]string
	last     compile.Result
	revision int64
}

func newCourse(t *testing.T, files map[string]string) *course {
	c := &course{t: t, compiler: compile.New(compile.InProcess{}), store: vfs.NewStore(1 << 30), files: maps.Clone(files)}
	c.change(nil)
	return c
}

// change applies changes to the files, and returns what a document does. An empty text removes its
// file.
func (c *course) change(texts map[string]string) string {
	c.t.Helper()
	contents := map[string][]byte{}
	for path, text := range texts {
		if c.files[path] = text; text == "" {
			delete(c.files, path)
		}
	}
	for path, text := range c.files {
		contents[path] = []byte(text)
	}
	files, err := c.store.Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		c.t.Fatal(err)
	}
	c.revision++
	c.last, err = c.compiler.Compile(c.t.Context(), compile.Input{Files: files, Before: c.last.Modules, Revision: c.revision})
	if err != nil {
		c.t.Fatal(err)
	}
	if c.last.Changes == nil {
		return "load"
	}
	var did []string
	for _, u := range c.last.Changes.Updates {
		text := u.Boundary + " takes " + u.URL
		if u.Circular {
			text += " circular"
		}
		did = append(did, text)
	}
	slices.Sort(did)
	for path := range texts {
		if language := filepath.Ext(path); language != ".ts" && !slices.Contains(c.last.Changes.Files, path) {
			did = append(did, "not "+path)
		}
	}
	return strings.Join(did, ", ")
}

const accepts = "\nimport.meta.hot?.accept()"

func TestWhoAcceptsAChange(t *testing.T) {
	for name, row := range map[string]struct {
		files, change map[string]string
		want          string
	}{
		"no module accepts": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": ""},
			map[string]string{"/a.ts": "1"}, "load",
		},
		"the module accepts itself": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/a.ts": "2" + accepts}, "/a.ts takes /a.ts?t=2",
		},
		"the importer accepts itself": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"the importer accepts the dependency": {
			map[string]string{"/main.ts": "import { b } from './b'; b; import.meta.hot?.accept('./b', () => {})", "/b.ts": "export const b = 1"},
			map[string]string{"/b.ts": "export const b = 2"}, "/main.ts takes /b.ts?t=2",
		},
		"one of two importers does not accept": {
			map[string]string{"/main.ts": "import './a'; import './b'", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": "2"}, "load",
		},
		"the entry changes": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/main.ts": "import './a'; 2"}, "load",
		},
		"two changes, and both are accepted": {
			map[string]string{"/main.ts": "import './a'; import './b'", "/a.ts": "1" + accepts, "/b.ts": "1" + accepts},
			map[string]string{"/a.ts": "2" + accepts, "/b.ts": "2" + accepts}, "/a.ts takes /a.ts?t=2, /b.ts takes /b.ts?t=2",
		},
		"JSON that an accepting module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './a.json'" + accepts, "/a.json": "1"},
			map[string]string{"/a.json": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"a text file that an accepting module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import text from './a.txt?raw'; text" + accepts, "/a.txt": "1"},
			map[string]string{"/a.txt": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"a style sheet that an accepting module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './a.css'" + accepts, "/a.css": "p { color: red }"},
			map[string]string{"/a.css": "p { color: blue }"}, "load",
		},
		"a style sheet that is linked, and whose text an accepting module imports": {
			map[string]string{"/index.html": "<link rel=stylesheet href=/p.css>", "/a.ts": "import text from './p.css?inline'; text" + accepts, "/p.css": "p { color: red }"},
			map[string]string{"/p.css": "p { color: blue }"}, "/a.ts takes /a.ts?t=2, not /p.css",
		},
		"a CSS module that an accepting module imports": {
			map[string]string{"/a.ts": "import names from './p.module.css'; names" + accepts, "/p.module.css": "p { color: red }"},
			map[string]string{"/p.module.css": "p { color: blue }"}, "load",
		},
		"an image that an accepting module imports": {
			map[string]string{"/a.ts": "import url from './logo.svg'; url" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "load",
		},
		"an image whose URL an accepting module imports": {
			map[string]string{"/a.ts": "import url from './logo.svg?url'; url" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "load",
		},
		"an image whose text an accepting module imports": {
			map[string]string{"/index.html": "<p>Text</p>", "/a.ts": "import text from './logo.svg?raw'; text" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "/a.ts takes /a.ts?t=2",
		},
		"an image in a page": {
			map[string]string{"/index.html": "<img src=/logo.svg>", "/a.ts": "import text from './logo.svg?raw'; text" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "load",
		},
		"an image in a style sheet": {
			map[string]string{"/p.css": "p { background: url(logo.svg) }", "/a.ts": "import text from './logo.svg?raw'; text" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "load",
		},
		"an image in a source": {
			map[string]string{"/b.tsx": "export default <img src='/logo.svg'/>", "/a.ts": "import text from './logo.svg?raw'; text" + accepts, "/logo.svg": "<svg/>"},
			map[string]string{"/logo.svg": "<svg></svg>"}, "load",
		},
		"an image in a page, which escapes its name": {
			map[string]string{"/index.html": "<img src=/the%20logo.svg>", "/a.ts": "import text from './the logo.svg?raw'; text" + accepts, "/the logo.svg": "<svg/>"},
			map[string]string{"/the logo.svg": "<svg></svg>"}, "load",
		},
		"a page whose text an accepting module imports": {
			map[string]string{"/index.html": "1", "/a.ts": "import text from './index.html?raw'; text" + accepts},
			map[string]string{"/index.html": "2"}, "load",
		},
		"a script of a package that an accepting module imports": {
			map[string]string{"/a.ts": "import './node_modules/b/b.js'" + accepts, "/node_modules/b/b.js": "1"},
			map[string]string{"/node_modules/b/b.js": "2"}, "load",
		},
		"JavaScript": {
			map[string]string{"/main.js": "import './a.js'", "/a.js": "import './b.js'" + accepts, "/b.js": "1"},
			map[string]string{"/b.js": "2"}, "/a.js takes /a.js?t=2",
		},
		"an import cycle with an accepting module": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "import './c'; 1", "/c.ts": "import './a'; import './b'"},
			map[string]string{"/b.ts": "import './c'; 2"}, "/a.ts takes /a.ts?t=2 circular",
		},
		"an import cycle that no module accepts": {
			map[string]string{"/main.ts": "import './b'; import './x'", "/x.ts": "1" + accepts, "/b.ts": "import './c'; 1", "/c.ts": "import './b'"},
			map[string]string{"/b.ts": "import './c'; 2"}, "load",
		},
		"a new file that no module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/b.ts": "1"}, "",
		},
		"a new file that an accepting module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/a.ts": "import './b'" + accepts, "/b.ts": "1"}, "/a.ts takes /a.ts?t=2",
		},
		"a removed file that was imported": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": ""}, "/a.ts takes /a.ts?t=2",
		},
		"a mistake in an accepting module": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/a.ts": "1 +" + accepts}, "/a.ts takes /a.ts?t=2",
		},
		"a dynamic import": {
			map[string]string{"/main.ts": "import('./a')", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"a worker's script": {
			map[string]string{"/main.ts": "import './a'; new Worker(new URL('./w.ts', import.meta.url))", "/a.ts": "1" + accepts, "/w.ts": "1"},
			map[string]string{"/w.ts": "2"}, "load",
		},
	} {
		if got := newCourse(t, row.files).change(row.change); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// A page accepts no changes, so a module that a page runs or imports needs a load unless it accepts
// its own changes.
func TestModulesOfPages(t *testing.T) {
	for name, row := range map[string]struct{ path, page, want string }{
		"no script":                        {"/index.html", `<p>b.js</p>`, "/a.js takes /a.js?t=2"},
		"another script":                   {"/index.html", `<script type=module src=/a.js></script>`, "/a.js takes /a.js?t=2"},
		"a module script":                  {"/index.html", `<script type="module" src="/b.js"></script>`, "load"},
		"a classic script":                 {"/index.html", `<SCRIPT SRC=b.js></SCRIPT>`, "load"},
		"with a query":                     {"/index.html", `<script src="b.js?v=1#x"></script>`, "load"},
		"in a folder":                      {"/pages/index.html", `<script src=../b.js></script>`, "load"},
		"a file of another folder":         {"/pages/index.html", `<script src=b.js></script>`, "/a.js takes /a.js?t=2"},
		"with a base":                      {"/pages/index.html", `<base href=/><script src=b.js></script>`, "load"},
		"with a base elsewhere":            {"/index.html", `<base href="https://example.com/"><script src=b.js></script>`, "/a.js takes /a.js?t=2"},
		"of another host":                  {"/index.html", `<script src="//example.com/b.js"></script>`, "/a.js takes /a.js?t=2"},
		"inline":                           {"/index.html", `<script type=module>import { b } from './b.js'; b</script>`, "load"},
		"inline, of another file":          {"/index.html", `<script type=module>import './a.js'</script>`, "/a.js takes /a.js?t=2"},
		"inline, dynamic":                  {"/index.html", `<script>import("/b.js")</script>`, "load"},
		"an import map":                    {"/index.html", `<script type=importmap>{ "imports": { "b": "/b.js" } }</script>`, "load"},
		"an import map with a scope":       {"/index.html", `<script type=importmap>{ "scopes": { "/": { "b": "./b.js" } } }</script>`, "load"},
		"an import map with a folder":      {"/index.html", `<script type=importmap>{ "imports": { "~/": "/" } }</script>`, "load"},
		"an import map of something else":  {"/index.html", `<script type=importmap>{ "imports": { "b.js": "https://example.com/b.js", "c": null } }</script>`, "/a.js takes /a.js?t=2"},
		"a page that is too large to read": {"/index.html", strings.Repeat(" ", 1<<20+1), "load"},
	} {
		c := newCourse(t, map[string]string{row.path: row.page, "/a.js": "import './b.js'" + accepts, "/b.js": "export const b = 1"})
		if got := c.change(map[string]string{"/b.js": "export const b = 2"}); strings.TrimSuffix(got, ", not /b.js") != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	self := newCourse(t, map[string]string{"/index.html": "<script src=/a.js></script>", "/a.js": "1" + accepts})
	if got := self.change(map[string]string{"/a.js": "2" + accepts}); got != "/a.js takes /a.js?t=2" {
		t.Error(got)
	}
}

// A version does not replace the query of an import, which selects another module.
func TestVersionsKeepQueries(t *testing.T) {
	c := newCourse(t, map[string]string{
		"/main.ts": "import './a'",
		"/a.ts":    "import './b.js?one'; import './b.js?two#x'; import './b.js#y'" + accepts,
		"/b.js":    "1",
		"/c.ts":    "import './d?one'; import.meta.hot?.accept('./d?one', () => {})",
		"/d.ts":    "1",
	})
	if got := c.change(map[string]string{"/b.js": "2"}); got != "/a.ts takes /a.ts?t=2" {
		t.Error(got)
	}
	code := served(t, c.last, compile.ScriptPath("/a.ts"))
	for _, want := range []string{`"/b.js?one&t=2"`, `"/b.js?two&t=2#x"`, `"/b.js?t=2#y"`} {
		if !strings.Contains(code, want) {
			t.Errorf("the module is %s, without %s", code, want)
		}
	}
	if got := c.change(map[string]string{"/d.ts": "2"}); got != "/c.ts takes /d.ts?one&t=3" {
		t.Error(got)
	}
}

// Each module has one URL at a time for all importers. A reload drops the versions.
func TestVersionsOfModules(t *testing.T) {
	c := newCourse(t, map[string]string{
		"/main.ts":   "import './a'; import './other'",
		"/a.ts":      "import { b } from './b'; b" + accepts,
		"/b.ts":      "export const b = 1",
		"/other.ts":  "import('./a')",
		"/page.html": `<!doctype html><script type="module" src="/main.ts"></script>`,
	})
	imports := func(path, want string) {
		t.Helper()
		if code := served(t, c.last, compile.ScriptPath(path)); !strings.Contains(code, want) {
			t.Errorf("revision %d has %s\n%s\nwithout %s", c.revision, path, code, want)
		}
	}
	if got := c.change(map[string]string{"/b.ts": "export const b = 2"}); got != "/a.ts takes /a.ts?t=2" {
		t.Fatal(got)
	}
	imports("/a.ts", `from "/b.ts?t=2"`)
	imports("/main.ts", `import "/a.ts?t=2"`)
	imports("/other.ts", `import("/a.ts?t=2")`)
	if got, want := c.last.Links["/page.html"], "</main.ts>; rel=modulepreload, </a.ts?t=2>; rel=modulepreload, </other.ts>; rel=modulepreload, </b.ts?t=2>; rel=modulepreload"; got != want {
		t.Errorf("a new document gets %s, want %s", got, want)
	}
	// A module with a mistake keeps its boundaries, so documents can replace it again.
	if got := c.change(map[string]string{"/a.ts": "import { b } from './b'; b +" + accepts}); got != "/a.ts takes /a.ts?t=3" {
		t.Fatal(got)
	}
	if got := c.change(map[string]string{"/b.ts": "export const b = 4"}); got != "/a.ts takes /a.ts?t=4" {
		t.Fatal(got)
	}
	if got := c.change(map[string]string{"/a.ts": "import { b } from './b'; b" + accepts}); got != "/a.ts takes /a.ts?t=5" {
		t.Fatal(got)
	}
	imports("/a.ts", `from "/b.ts?t=4"`)
	if got := c.change(map[string]string{"/main.ts": "import './a'"}); got != "load" {
		t.Fatal(got)
	}
	imports("/main.ts", `import "/a.ts"`)
	imports("/a.ts", `from "/b.ts"`)
}

// In an import cycle, a module that is loaded again imports no old version.
func TestCircleIsLoadedAgain(t *testing.T) {
	c := newCourse(t, map[string]string{
		"/main.ts": "import './a'", "/a.ts": "import './b'; import './x'; 1" + accepts, "/b.ts": "import './c'", "/c.ts": "import './a'", "/x.ts": "1",
	})
	if got := c.change(map[string]string{"/a.ts": "import './b'; import './x'; 2" + accepts}); got != "/a.ts takes /a.ts?t=2 circular" {
		t.Error(got)
	}
	for path, want := range map[string]string{"/a.ts": `import "/b.ts?t=2";`, "/b.ts": `import "/c.ts?t=2";`, "/c.ts": `import "/a.ts?t=2";`, "/main.ts": `import "/a.ts?t=2";`} {
		if code := served(t, c.last, compile.ScriptPath(path)); !strings.Contains(code, want) {
			t.Errorf("%s is %s, without %s", path, code, want)
		}
	}
	if code := served(t, c.last, compile.ScriptPath("/a.ts")); !strings.Contains(code, `import "/x.ts";`) {
		t.Errorf("a module outside the cycle is loaded again: %s", code)
	}
}

func TestImportMetaHot(t *testing.T) {
	c := newCourse(t, map[string]string{
		"/main.ts": "import { b } from '/b'; b; import.meta.hot?.accept('/b', () => {})",
		"/b.ts":    "export const b = 1",
		"/c.js":    "export const c = 1",
	})
	want := `import.meta.hot = globalThis[Symbol.for('bellglass.hot')]?.("/main.ts", { "/b": "/b.ts", });`
	if code := served(t, c.last, compile.ScriptPath("/main.ts")); !strings.HasPrefix(code, want) {
		t.Errorf("the module begins with %s", code)
	}
	if code := served(t, c.last, compile.ScriptPath("/c.js")); code != "" {
		t.Errorf("JavaScript that needs nothing is compiled to %s", code)
	}
}
