package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
)

// The header names the page's module scripts, the modules that these import directly or through others,
// and nothing else.
func TestLinks(t *testing.T) {
	c := compile.New(compile.InProcess{})
	page := func(head string) string {
		return "<!doctype html><title>Page</title>" + head
	}
	const main = `<script type="module" src="/main.ts"></script>`
	for name, row := range map[string]struct {
		page  string
		files map[string]string
		want  string // the URLs
	}{
		"nearer modules first": {page(main), map[string]string{
			"/main.ts": "import './a'\nexport * from './b'\nimport './main'", "/a.ts": "import './far'", "/b.ts": "import './a'", "/far.ts": "1", "/other.ts": "2",
		}, "/main.ts /a.ts /b.ts /far.ts"},
		"a circle":           {page(main), map[string]string{"/main.ts": "import './a'", "/a.ts": "import './main'"}, "/main.ts /a.ts"},
		"import()":           {page(main), map[string]string{"/main.ts": "void import('./a')", "/a.ts": "1"}, "/main.ts"},
		"both":               {page(main), map[string]string{"/main.ts": "void import('./a')\nimport './a'", "/a.ts": "1"}, "/main.ts /a.ts"},
		"types":              {page(main), map[string]string{"/main.ts": "import type { A } from './a'\nimport { B } from './b'\nlet x: A | B", "/a.ts": "1", "/b.ts": "1"}, "/main.ts"},
		"files of any kind":  {page(main), map[string]string{"/main.ts": "import './a.css'\nimport b from './b.png'\nimport c from './c.txt?raw'\nimport d from './d.json'\nb + c + d", "/a.css": "", "/b.png": "", "/c.txt": "", "/d.json": "1"}, "/main.ts /a.css /b.png /c.txt%3Fraw.js /d.json"},
		"attributes":         {page(main), map[string]string{"/main.ts": "import a from './a.json' with { type: 'json' }\nimport b from './b.css' with { type: 'css' }\nimport './c'\na + b", "/a.json": "1", "/b.css": "", "/c.ts": "1"}, "/main.ts /c.ts"},
		"other origins":      {page(main), map[string]string{"/main.ts": "import 'https://example.com/a.js'\nimport '//example.com/b.js'"}, "/main.ts"},
		"a query":            {page(main), map[string]string{"/main.ts": "import './a.ts?v=1'\nimport './a.ts?v=2'", "/a.ts": "1"}, "/main.ts /a.ts?v=1 /a.ts?v=2"},
		"two scripts":        {page(main + `<script type=Module src="a.ts?v=1"></script>`), map[string]string{"/main.ts": "import './b'", "/a.ts": "import './c'", "/b.ts": "1", "/c.ts": "1"}, "/main.ts /a.ts?v=1 /b.ts /c.ts"},
		"a base":             {page(`<base href="/src/">` + `<script type="module" src="main.ts"></script>`), map[string]string{"/src/main.ts": "import './a'", "/src/a.ts": "1"}, "/src/main.ts /src/a.ts"},
		"no module":          {page(`<script src="/main.ts"></script>`), map[string]string{"/main.ts": "import './a'", "/a.ts": "1"}, ""},
		"with credentials":   {page(`<script type="module" crossorigin="use-credentials" src="/main.ts"></script>`), map[string]string{"/main.ts": "import './a'", "/a.ts": "1"}, ""},
		"with integrity":     {page(`<script type="module" integrity="sha256-x" src="/main.ts"></script>`), map[string]string{"/main.ts": "import './a'", "/a.ts": "1"}, ""},
		"an import map":      {page(main + `<script type="importmap">{ "imports": { "x": "/a.ts" } }</script>`), map[string]string{"/main.ts": "import './a'", "/a.ts": "1"}, ""},
		"a file with errors": {page(main), map[string]string{"/main.ts": "import './a'\nimport './b'", "/a.ts": "import './far'\nlet", "/b.ts": "1", "/far.ts": "1"}, "/main.ts /a.ts /b.ts"},
		"nothing to compile": {page(`<script type="module" src="/main.js"></script>`), map[string]string{"/main.js": "import './a.js'", "/a.js": "1"}, ""},
		"a hostile query":    {page(main), map[string]string{"/main.ts": "import './a.ts?>; rel=preconnect'\nimport './a.ts?\\u00e9'\nimport './a.ts?\"'\nimport './b c.ts'", "/a.ts": "1", "/b c.ts": "1"}, "/main.ts /b%20c.ts"},
	} {
		t.Run(name, func(t *testing.T) {
			row.files["/index.html"] = row.page
			result := compiled(t, c, row.files)
			var want []string
			for _, url := range strings.Fields(row.want) {
				want = append(want, "<"+url+">; rel=modulepreload")
			}
			if got := result.Links["/index.html"]; got != strings.Join(want, ", ") {
				t.Errorf("%s, want %s; %v", got, strings.Join(want, ", "), result.Diagnostics)
			}
		})
	}
}

// The headers are bounded. What they leave out loads as without them.
func TestLinksAreBounded(t *testing.T) {
	files := map[string]string{}
	var main strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&main, "import './module-%d'\n", i)
		files[fmt.Sprintf("/module-%d.ts", i)] = "1"
	}
	files["/main.ts"] = main.String()
	for i := range 20 {
		files[fmt.Sprintf("/page-%d.html", i)] = `<!doctype html><script type="module" src="/main.ts"></script>`
	}
	sum, longest := 0, 0
	const ofPage, ofPages = 16 << 10, 128 << 10
	for path, link := range compiled(t, compile.New(compile.InProcess{}), files).Links {
		if len(link) > ofPage || !strings.HasSuffix(link, ">; rel=modulepreload") {
			t.Errorf("%s: %d bytes, which end with %q", path, len(link), link[max(0, len(link)-30):])
		}
		sum += len(link)
		longest = max(longest, len(link))
	}
	if longest < ofPage-100 {
		t.Errorf("the longest has %d bytes", longest)
	}
	if sum > ofPages || sum < ofPages-100 {
		t.Errorf("%d bytes in all", sum)
	}
}

// Pages can name thousands of imports that no header has room for, or that are at other origins.
func TestLinksOfManyPages(t *testing.T) {
	var main strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&main, "import 'https://example.com/%d.js'\n", i)
	}
	files := map[string]string{"/main.ts": main.String()}
	for i := range 2_000 {
		files[fmt.Sprintf("/page-%d.html", i)] = `<!doctype html><script type="module" src="/main.ts"></script>`
	}
	if got := len(compiled(t, compile.New(compile.InProcess{}), files).Links); got < 10 || got > 100 {
		t.Errorf("%d pages have a header", got)
	}
}
