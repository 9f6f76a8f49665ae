package packages

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/packages/prebundle"
	"github.com/bellglass/bellglass/packages/registrytest"
)

// A style sheet stays one, with its fonts as files beside it.
func TestStyles(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t,
		pkg{Name: "styled", Version: "1.0.0", Manifest: keys{"dependencies": keys{"base-css": "1"}, "style": "x"}, Files: map[string]string{
			"index.js":       "import './dist/style.css'; import logo from './logo.svg'; export { logo }",
			"dist/style.css": "@import 'part.css'; @import '~base-css/base.css'; @font-face { font-family: F; src: url(fonts/f.woff2?v=1#iefix) format('woff2') } a { background: url(data:image/gif;base64,AA==) } b { background: url(missing.png) }",
			"dist/part.css":  ".part { color: red }", "dist/fonts/f.woff2": "font", "logo.svg": "<svg/>"}},
		pkg{Name: "base-css", Version: "1.0.0", Manifest: keys{"main": "base.css"}, Files: map[string]string{"base.css": ".base { color: blue }"}},
	)
	set := bundled(t, options(t, r), []string{"styled", "1", "base-css", "1"}, "styled/dist/style.css", "styled", "base-css")
	files := set.Files()
	sheet, ok := set.Resolve("styled/dist/style.css")
	text := string(files[sheet])
	if !ok || sheet != "/node_modules/.bellglass/styled@1.0.0/dist/style.css" || !strings.Contains(text, ".part{color:red}") || !strings.Contains(text, "/node_modules/.bellglass/base-css@1.0.0/base.css") {
		t.Errorf("%s, %v:\n%s", sheet, ok, text)
	}
	fonts := 0
	for name, content := range files {
		if path.Ext(name) == ".woff2" && string(content) == "font" && strings.Contains(text, name) {
			fonts++
		}
	}
	if fonts != 1 {
		t.Errorf("%d fonts in %q:\n%s", fonts, slices.Sorted(maps.Keys(files)), text)
	}
	if base, ok := set.Resolve("base-css"); !ok || path.Ext(base) != ".css" || files[base] == nil {
		t.Errorf("a package that is a style sheet: %s, %v", base, ok)
	}
	if linked := "/node_modules/.bellglass/styled@1.0.0/styles/dist/style.css"; files[linked] == nil {
		t.Errorf("no %s in %q", linked, slices.Sorted(maps.Keys(files)))
	}
	got := runs(t, set, `const links = []
globalThis.document = { createElement: () => ({}), head: { append: (l) => links.push(l.rel + ' ' + l.href.slice(l.href.indexOf('styles/'))) } }
const { logo } = await import('styled')
console.log(links.join(), logo.includes('/assets/logo-'))`)
	if got != "stylesheet styles/dist/style.css true" {
		t.Errorf("it prints %q", got)
	}
	if !slices.ContainsFunc(set.Notes(), func(n string) bool { return strings.Contains(n, "missing.png") }) {
		t.Errorf("nothing is said of the missing picture: %q", set.Notes())
	}
}

// Packages that import each other, and files that several subpaths share, exist once.
func TestOneInstance(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t,
		pkg{Name: "cycle-a", Version: "1.0.0", Manifest: keys{"dependencies": keys{"cycle-b": "1"}, "module": "index.js"}, Files: map[string]string{"index.js": "import { b } from 'cycle-b'; export const a = () => 'a'; export const ab = () => a() + b()"}},
		pkg{Name: "cycle-b", Version: "1.0.0", Manifest: keys{"dependencies": keys{"cycle-a": "1"}, "module": "index.js"}, Files: map[string]string{"index.js": "import { a } from 'cycle-a'; export const b = () => 'b' + a()"}},
		pkg{Name: "shared", Version: "1.0.0", Manifest: keys{"module": "one.js"}, Files: map[string]string{"one.js": "export { state } from './state.js'", "two.js": "import { state } from './state.js'; export const two = state; export { state } from './cjs.cjs'", "state.js": "export const state = {}", "cjs.cjs": "exports.state = {}", "three.js": "exports.three = require('./cjs.cjs').state"}},
	)
	set := bundled(t, options(t, r), []string{"cycle-a", "1", "shared", "1"}, "cycle-a")
	before := set.Files()
	if err := set.Bundle(t.Context(), "shared"); err != nil {
		t.Fatal(err)
	}
	if err := set.Bundle(t.Context(), "shared/two.js", "shared/two", "shared/three"); err != nil {
		t.Fatal(err)
	}
	if len(set.Files()) <= len(before) || before["/node_modules/.bellglass/shared@1.0.0/one.js"] != nil {
		t.Error("the earlier files have changed")
	}
	got := runs(t, set, `import { ab } from 'cycle-a'
import { state } from 'shared'
import { two, state as common } from 'shared/two.js'
import * as again from 'shared/two'
import { three } from 'shared/three'
console.log(ab(), state === two, again.two === two, common === three)`)
	if got != "aba true true true" {
		t.Errorf("it prints %q", got)
	}
}

// What is asked for and is not there is an error, which leaves the set as it was.
func TestBundleMistakes(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t,
		pkg{Name: "closed", Version: "1.0.0", Manifest: keys{"exports": keys{".": "./index.js", "./sub": "./sub.js", "./lost": "./lost.js"}}, Files: map[string]string{"index.js": "", "inner.js": ""}},
		pkg{Name: "open", Version: "1.0.0", Files: map[string]string{"index.js": "module.exports = 1"}},
		pkg{Name: "hostile", Version: "1.0.0", Manifest: keys{"exports": keys{".": "./../../etc/passwd", "./../../x": "./index.js", "./star/*": "./*"}}, Files: map[string]string{"index.js": ""}},
		pkg{Name: "@types/open", Version: "1.0.0", Files: map[string]string{"index.d.ts": ""}},
		pkg{Name: "wrong", Version: "1.0.0", Files: map[string]string{"index.js": "var = 1"}},
		pkg{Name: "imports-missing", Version: "1.0.0", Manifest: keys{"module": "index.js", "dependencies": keys{"closed": "1"}}, Files: map[string]string{"index.js": "export const later = () => import('closed/inner.js'); export const no = () => import('undeclared')"}},
	)
	o := options(t, r)
	set, err := loadAll(t, o, "closed", "1", "open", "1", "@types/open", "1", "wrong", "1", "imports-missing", "1", "hostile", "1")
	if err != nil {
		t.Fatal(err)
	}
	for specifier, says := range map[string][]string{
		"unknown":           {`"unknown"`, "does not depend on unknown", "bellglass add unknown", "It depends on @types/open, closed"},
		"@scope/x/sub":      {"bellglass add @scope/x"},
		"closed/inner.js":   {"closed@1.0.0 has no closed/inner.js", "does not export it", "it exports closed, closed/lost, closed/sub"},
		"closed/lost":       {`names the file "./lost.js", which it lacks`},
		"open/none":         {"open@1.0.0 has no open/none", "no such file"},
		"open/../wrong":     {"no package can have it"},
		"open/../../../etc": {"no package can have it"},
		"open//index.js":    {"no package can have it"},
		"hostile/../../x":   {"no package can have it"},
		"hostile":           {"does not export it"},
		"@types/open":       {"has no main file", "package of types"},
		"wrong":             {"wrong@1.0.0 cannot be bundled", "index.js:1:4"},
		"":                  {"does not depend on"},
	} {
		err := set.Bundle(t.Context(), "open", specifier)
		for _, want := range says {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v; want %q in it", specifier, err, want)
			}
		}
		if _, ok := set.Resolve("open"); ok || len(set.Files()) > 0 {
			t.Fatalf("after %q the set has %v", specifier, set.Imports())
		}
	}
	// A failure of a package that is bundled already leaves it as it is.
	if err := set.Bundle(t.Context(), "open"); err != nil {
		t.Fatal(err)
	}
	if err := set.Bundle(t.Context(), "open/none"); err == nil {
		t.Error("no error")
	}
	if err := set.Bundle(t.Context(), "open/index.js"); err != nil {
		t.Errorf("after a failure: %v", err)
	}
	err = set.Bundle(t.Context(), "none", "nothing")
	if unknown, ok := errors.AsType[*UnknownError](err); !ok || unknown.Package != "none" || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("two unknown packages: %v", err)
	}
	if _, ok := errors.AsType[*prebundle.SubpathError](set.Bundle(t.Context(), "open/none")); !ok {
		t.Error("no SubpathError")
	}

	// What only another package asks for throws when it runs.
	if err := set.Bundle(t.Context(), "imports-missing"); err != nil {
		t.Fatal(err)
	}
	got := runs(t, set, `import { later, no } from 'imports-missing'
for (const f of [later, no]) try { await f() } catch (e) { console.log(e.message) }`)
	if !strings.Contains(got, "closed@1.0.0 has no closed/inner.js") || !strings.Contains(got, `Cannot find the package of "undeclared"`) {
		t.Errorf("it prints %q", got)
	}
	if notes := strings.Join(set.Notes(), "\n"); !strings.Contains(notes, "undeclared") || !strings.Contains(notes, "closed/inner.js") {
		t.Errorf("the notes are %q", notes)
	}
}

// A second set takes bundles from the cache, without unpacking anything.
func TestBundlesAreKept(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, react("19.2.0")...)
	o := options(t, r)
	var said []string
	o.Say = func(say string) { said = append(said, say) }
	first := bundled(t, o, []string{"react", "19", "react-dom", "19"}, "react-dom/client")
	if count := strings.Count(strings.Join(said, "\n"), "Bundling"); count != 2 {
		t.Errorf("%d packages are bundled: %q", count, said)
	}
	said = nil
	second := bundled(t, o, []string{"react", "19", "react-dom", "19"}, "react-dom/client")
	if text := strings.Join(said, "\n"); strings.Contains(text, "Bundling") {
		t.Errorf("bundled again: %s", text)
	}
	if !maps.EqualFunc(first.Files(), second.Files(), slices.Equal) {
		t.Error("the second set has other files")
	}
	said, o.Development = nil, true
	bundled(t, o, []string{"react", "19", "react-dom", "19"}, "react-dom/client")
	if !strings.Contains(strings.Join(said, "\n"), "Bundling") {
		t.Error("the build for development is taken from the cache")
	}
}

// A bundle in the cache is not used where an import that nobody declared means something else.
func TestUndeclaredImport(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("found", "1.0.0"), pkg{Name: "forgets", Version: "1.0.0", Files: map[string]string{"index.js": "try { exports.found = require('found') } catch (e) { exports.found = e.code }"}})
	o := options(t, r)
	for _, test := range []struct {
		dependencies []string
		want         string
	}{{[]string{"forgets", "1"}, "MODULE_NOT_FOUND"}, {[]string{"forgets", "1", "found", "1"}, "found 1.0.0"}, {[]string{"forgets", "1"}, "MODULE_NOT_FOUND"}} {
		if got := runs(t, bundled(t, o, test.dependencies, "forgets"), `import { found } from 'forgets'; console.log(found)`); got != test.want {
			t.Errorf("with %q it prints %q", test.dependencies, got)
		}
	}
}

// Sets can be used concurrently.
func TestConcurrentUse(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, react("19.2.0")...)
	o := options(t, r)
	set, err := loadAll(t, o, "react", "19", "react-dom", "19")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			specifier := []string{"react", "react-dom", "react-dom/client"}[i%3]
			if err := set.Bundle(t.Context(), specifier); err != nil {
				t.Error(err)
			}
			if at, ok := set.Resolve(specifier); !ok || set.Files()[at] == nil {
				t.Errorf("%s is not there", specifier)
			}
		})
	}
	all.Wait()
}
