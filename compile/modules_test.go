package compile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/vfs"
)

// course compiles one state after the other, as a sandbox does.
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

// change applies changes to the files, of which an empty text removes one, and says what a
// document does.
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
		"itself": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/a.ts": "2" + accepts}, "/a.ts takes /a.ts?t=2",
		},
		"the importer takes itself": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"the importer takes the dependency": {
			map[string]string{"/main.ts": "import { b } from './b'; b; import.meta.hot?.accept('./b', () => {})", "/b.ts": "export const b = 1"},
			map[string]string{"/b.ts": "export const b = 2"}, "/main.ts takes /b.ts?t=2",
		},
		"one importer does not": {
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
		"a text that it imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import text from './a.txt?raw'; text" + accepts, "/a.txt": "1"},
			map[string]string{"/a.txt": "2"}, "/a.ts takes /a.ts?t=2",
		},
		"a style sheet that it imports is replaced without it": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './a.css'" + accepts, "/a.css": "p { color: red }"},
			map[string]string{"/a.css": "p { color: blue }"}, "load",
		},
		"JavaScript": {
			map[string]string{"/main.js": "import './a.js'", "/a.js": "import './b.js'" + accepts, "/b.js": "1"},
			map[string]string{"/b.js": "2"}, "/a.js takes /a.js?t=2",
		},
		"a circle around what accepts": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "import './c'; 1", "/c.ts": "import './a'; import './b'"},
			map[string]string{"/b.ts": "import './c'; 2"}, "/a.ts takes /a.ts?t=2 circular",
		},
		"a circle that nobody accepts": {
			map[string]string{"/main.ts": "import './b'; import './x'", "/x.ts": "1" + accepts, "/b.ts": "import './c'; 1", "/c.ts": "import './b'"},
			map[string]string{"/b.ts": "import './c'; 2"}, "load",
		},
		"a new file that nobody imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/b.ts": "1"}, "",
		},
		"a new file that an accepting module imports": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "1" + accepts},
			map[string]string{"/a.ts": "import './b'" + accepts, "/b.ts": "1"}, "/a.ts takes /a.ts?t=2",
		},
		"a file that is gone, and was imported": {
			map[string]string{"/main.ts": "import './a'", "/a.ts": "import './b'" + accepts, "/b.ts": "1"},
			map[string]string{"/b.ts": ""}, "/a.ts takes /a.ts?t=2",
		},
		"a mistake in what accepts": {
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

// Each module has one address at a time, whoever imports it. A load forgets the versions.
func TestVersionsOfModules(t *testing.T) {
	c := newCourse(t, map[string]string{
		"/main.ts":  "import './a'; import './other'",
		"/a.ts":     "import { b } from './b'; b" + accepts,
		"/b.ts":     "export const b = 1",
		"/other.ts": "import('./a')",
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
	// A mistake keeps what documents run; it goes as it came.
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

// In a circle, what is loaded again imports nothing old.
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
		t.Errorf("what is not in the circle is loaded again: %s", code)
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
