package files

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Navigations to paths without a file get the fallback. All other requests get an error,
// because a wrong address in a script would otherwise return a page.
func TestFallbackAnswersNavigationsAlone(t *testing.T) {
	t.Parallel()
	byEach(t, testFallback)
}

func testFallback(t *testing.T, worker string, open func(*glass.Server, *server.Sandbox) *glass.View) {
	g := glass.Start(t)
	const app = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><body><script>document.body.append('route ' + location.pathname + location.search)</script>`
	sandbox, err := g.Create(server.Spec{
		Name: t.Name(), Policy: glass.Parse(t, worker+glass.AllScripts), Entry: "/users/7?tab=1", Fallback: "/app.html",
		Files: g.Files(t, map[string]string{"/app.html": app, "/real.html": "<!doctype html>real", "/x.txt": "x"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	shared := open(g, sandbox)
	if got := shared.Text("body"); !strings.HasSuffix(got, "route /users/7?tab=1") {
		t.Errorf("the entry shows %q", got)
	}
	for _, row := range []struct{ path, text string }{
		{"/orders/9", "route /orders/9"},
		{"/missing.png", "route /missing.png"},
		{"/folder/", "route /folder/"},
		{"/real.html", "real"},
		{"/x.txt", "x"},
		{"/.bellglass/nothing", ""}, // may not be framed, so the browser shows its own page
		{"/%E0%A4", "bad-path"},
	} {
		t.Run("navigate to "+row.path, func(t *testing.T) {
			got := framedText(t, shared.In(t), row.path)
			if !strings.Contains(got, row.text) || !strings.HasPrefix(row.text, "route") && strings.Contains(got, "route") {
				t.Errorf("it shows %q, want %q", got, row.text)
			}
		})
	}
	for _, path := range []string{"/orders/9", "/missing.js", "/folder/"} {
		t.Run("fetch "+path, func(t *testing.T) {
			if got := get(t, shared, path); got.Status != 404 {
				t.Errorf("%d %q, want 404", got.Status, got.Text)
			}
		})
	}
}

// framedText loads a path in a frame of the view, and returns the frame's text.
func framedText(t testing.TB, v *glass.View, path string) string {
	t.Helper()
	v.Eval(fmt.Sprintf(`() => new Promise((resolve) => {
		document.querySelector('#framed')?.remove()
		const frame = document.createElement('iframe')
		frame.id = 'framed'
		frame.onload = () => resolve()
		frame.src = location.origin + %s
		document.body.append(frame)
	})`, glass.Literal(t, path)))
	text, err := v.Frame().FrameLocator("#framed").Locator("body").TextContent()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A document stays as its author wrote it: the client script runs before all others, and
// removes itself.
func TestDocumentsKeepTheirMode(t *testing.T) {
	t.Parallel()
	const rest = `<html lang="fr" class="own"><head><meta charset="utf-8"><title>Bœuf</title><script src="/own.js"></script></head><body class="b"><p>déjà</p></body></html>`
	rows := []struct {
		name, head string
		mode       string
	}{
		{"doctype", "<!doctype html>", "CSS1Compat"},
		{"doctype on a line of its own", "<!DOCTYPE html>\n", "CSS1Compat"},
		{"white space before", " \n\t<!doctype html>", "CSS1Compat"},
		{"comment before", "<!-- a > b --><!doctype html>", "CSS1Compat"},
		{"byte order mark", "\ufeff<!doctype html>", "CSS1Compat"},
		{"byte order mark and comment", "\ufeff<!-- x -->\n<!DocType html>", "CSS1Compat"},
		{"HTML 4 strict", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`, "CSS1Compat"},
		{"HTML 3.2", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">`, "BackCompat"},
		{"none", "", "BackCompat"},
		{"comment alone", "<!-- no doctype -->", "BackCompat"},
		{"doctype too late", "<p>x</p><!doctype html>", "BackCompat"},
	}
	// What the document's own first script finds: only itself, and a console that is relayed.
	const own = `window.first = document.scripts.length + (String(console.log).includes('[native code]') ? ' alone' : ' relayed')`
	files := map[string]string{"/index.html": filesPage, "/own.js": own}
	path := func(i int) string { return fmt.Sprintf("/%d.html", i) }
	for i, row := range rows {
		files[path(i)] = row.head + rest
	}
	byEach(t, func(t *testing.T, worker string, open func(*glass.Server, *server.Sandbox) *glass.View) {
		g := glass.Start(t)
		views := []struct {
			*glass.View
			inline string
		}{
			{open(g, g.NewSandbox(t, files, worker+glass.AllScripts)), "each inline script runs"},
			{open(g, g.NewSandbox(t, files, worker+"version: 1\nscripts: []\n")), "no other inline script runs"},
		}
		for _, v := range views {
			if got := v.Eval(`() => [document.compatMode, document.documentElement.lang, document.scripts.length].join(' ')`); got != "CSS1Compat en 0" {
				t.Errorf("the view is %v", got)
			}
		}
		for i, row := range rows {
			for _, shared := range views {
				t.Run(row.name+", "+shared.inline, func(t *testing.T) {
					v := shared.In(t)
					got := v.Nest(path(i), `(w) => [w.document.compatMode, w.document.documentElement.lang, w.document.documentElement.className, w.document.body.className, w.first, w.performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname), w.document.title, w.document.querySelector('body > p:last-of-type').textContent].join(' ')`)
					if want := row.mode + " fr own b 1 relayed /own.js Bœuf déjà"; got != want {
						t.Errorf("the document is %v, want %s", got, want)
					}
					// fetch() gets the file, without the client script.
					raw := v.Eval(fmt.Sprintf(`async () => Array.from(new Uint8Array(await (await fetch(%q)).arrayBuffer()), (b) => b.toString(16).padStart(2, '0')).join('')`, path(i)))
					if raw != hex.EncodeToString([]byte(row.head+rest)) {
						t.Errorf("fetch() of it gets other bytes: %v", raw)
					}
				})
			}
		}
	})
}

func TestNestedDocumentsAreRelayed(t *testing.T) {
	t.Parallel()
	byEach(t, testNested)
}

func testNested(t *testing.T, worker string, open func(*glass.Server, *server.Sandbox) *glass.View) {
	g := glass.Start(t)
	v := open(g, g.NewSandbox(t, map[string]string{
		"/index.html":  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outside</title><iframe src="nested.html"></iframe>`,
		"/nested.html": `<!doctype html><title>Nested</title><p id="p">nested</p><iframe src="deeper.html"></iframe><script>console.info('said by the nested page')</script>`,
		"/deeper.html": `<!doctype html><title>Deeper</title><script>console.warn('said by the deeper page'); missing()</script>`,
	}, worker+glass.AllScripts))
	if text, err := v.Frame().FrameLocator("iframe").Locator("#p").TextContent(); err != nil || text != "nested" {
		t.Errorf("the nested page shows %q, %v", text, err)
	}
	v.WaitFor(`[data-testid=console-line][data-level=info]:has-text("said by the nested page")`)
	v.WaitFor(`[data-testid=console-line][data-level=warn]:has-text("said by the deeper page")`)
	v.WaitFor(`[data-testid=console-line][data-kind=error]:has-text("missing is not defined")`)
}
