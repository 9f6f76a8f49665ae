package files

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The worker as a file server: a page's requests get the same responses as from a good static
// server. The page makes the requests, because only its requests reach the worker.

// A reply is the response to the page's fetch.
type reply struct {
	Status     int
	URL        string
	Redirected bool
	Headers    map[string]string // names in lower case
	Size       int               // bytes of the body
	Text       string            // the body as UTF-8
}

// ask has the page fetch a path of its own origin.
func ask(t testing.TB, v *glass.View, method, path string, headers map[string]string) reply {
	t.Helper()
	init := map[string]any{"method": method}
	if headers != nil {
		init["headers"] = headers
	}
	got := v.In(t).Eval(fmt.Sprintf(`async () => {
		const response = await fetch(location.origin + %s, %s)
		const body = new Uint8Array(await response.arrayBuffer())
		return JSON.stringify({
			Status: response.status, URL: response.url, Redirected: response.redirected,
			Headers: Object.fromEntries(response.headers), Size: body.length, Text: new TextDecoder().decode(body),
		})
	}`, glass.Literal(t, path), glass.Literal(t, init)))
	var r reply
	if err := json.Unmarshal([]byte(got.(string)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// get calls ask with GET and no headers.
func get(t testing.TB, v *glass.View, path string) reply {
	t.Helper()
	return ask(t, v, "GET", path, nil)
}

const (
	filesPage  = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Files</title><body>index`
	folderPage = `<!doctype html><meta charset="utf-8"><title>Folder</title><a href="other.txt">other</a><script src="own.js"></script>`
	tenBytes   = "0123456789"
)

var staticFiles = map[string]string{
	"/index.html":      filesPage,
	"/a b.txt":         "space",
	"/grüße.txt":       "umlaut",
	"/日本/語.txt":        "kanji",
	"/🔔.txt":           "bell",
	"/a+b.txt":         "plus",
	"/a#b.txt":         "hash",
	"/a?b.txt":         "question",
	"/100%.txt":        "percent",
	"/%2f.txt":         "a name with %2f",
	"/b":               "b",
	"/ten.txt":         tenBytes,
	"/empty.txt":       "",
	"/sub/index.html":  folderPage,
	"/about.html":      "<!doctype html><title>About</title>about",
	"/both.html":       "the page",
	"/both/index.html": "the folder",
	"/b.html":          "not b",
	"/sub/own.js":      "document.documentElement.dataset.own = 'ran'",
	"/sub/other.txt":   "other",
	"/sub/deep/x.html": "x",
	"/t/x.js":          "1",
	"/t/x.mjs":         "1",
	"/t/x.css":         "a {}",
	"/t/x.json":        "{}",
	"/t/x.svg":         "<svg xmlns='http://www.w3.org/2000/svg'/>",
	"/t/x.wasm":        "\x00asm\x01\x00\x00\x00",
	"/t/x.ts":          "let n: number",
	"/t/x.html":        "<p>x",
	"/t/x.txt":         "x",
	"/t/x":             "x",
	"/t/x.unknown":     "x",
}

func TestFilesAreServedAsByAStaticServer(t *testing.T) {
	t.Parallel()
	byEach(t, testStaticServer)
}

func testStaticServer(t *testing.T, worker string, open func(*glass.Server, *server.Sandbox) *glass.View) {
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, staticFiles, worker+glass.AllScripts)
	shared := open(g, sandbox)

	t.Run("path", func(t *testing.T) {
		for _, row := range []struct {
			name, path string
			status     int
			text       string // the whole body, or part of a refusal
		}{
			{"space", "/a b.txt", 200, "space"},
			{"encoded space", "/a%20b.txt", 200, "space"},
			{"plus is no space", "/a+b.txt", 200, "plus"},
			{"encoded plus", "/a%2Bb.txt", 200, "plus"},
			{"raw UTF-8", "/grüße.txt", 200, "umlaut"},
			{"encoded, upper case", "/gr%C3%BC%C3%9Fe.txt", 200, "umlaut"},
			{"encoded, lower case", "/gr%c3%bc%c3%9fe.txt", 200, "umlaut"},
			{"half encoded", "/gr%c3%BCße.txt", 200, "umlaut"},
			{"three bytes", "/日本/語.txt", 200, "kanji"},
			{"three bytes, folder encoded", "/%E6%97%A5%e6%9c%ac/語.txt", 200, "kanji"},
			{"four bytes", "/%F0%9F%94%94.txt", 200, "bell"},
			{"encoded letters", "/%74en.txt", 200, tenBytes},
			{"encoded hash", "/a%23b.txt", 200, "hash"},
			{"encoded question mark", "/a%3Fb.txt", 200, "question"},
			{"encoded percent", "/100%25.txt", 200, "percent"},
			{"encoded twice is decoded once", "/%252f.txt", 200, "a name with %2f"},
			{"query", "/ten.txt?v=1&x=/a%2fb", 200, tenBytes},
			{"empty query", "/ten.txt?", 200, tenBytes},
			{"fragment", "/ten.txt#part", 200, tenBytes},
			// The browser itself resolves these, in either spelling.
			{"dots", "/a/../b", 200, "b"},
			{"encoded dots", "/a/%2e%2e/b", 200, "b"},
			{"encoded dots above the root", "/%2E%2e/%2e./b", 200, "b"},
			{"a page without its ending", "/about?x=1", 200, "<!doctype html><title>About</title>about"},
			{"a page is before a folder", "/both", 200, "the page"},
			{"a folder has its slash", "/both/", 200, "the folder"},
			{"a page is no folder", "/about/", 404, "/about/index.html"},
			{"a file is before a page", "/b", 200, "b"},
			{"another case is another file", "/TEN.txt", 404, "/TEN.txt"},
			{"another composition is another file", "/gru\u0308ße.txt", 404, "in revision 1"},
			{"final slash of a file", "/ten.txt/", 404, "/ten.txt/index.html"},
			{"two slashes", "//ten.txt", 400, "bad-path"},
			{"two slashes further down", "/sub//other.txt", 400, "bad-path"},
			{"two slashes at the end", "/sub//", 400, "bad-path"},
			{"encoded slash", "/sub%2fother.txt", 400, "bad-path"},
			{"encoded slash, upper case", "/sub%2Fother.txt", 400, "bad-path"},
			{"encoded backslash", "/sub%5cother.txt", 400, "bad-path"},
			{"encoded backslash, upper case", "/sub%5Cother.txt", 400, "bad-path"},
			{"encoded NUL", "/ten.txt%00", 400, "bad-path"},
			{"encoded line feed", "/ten.txt%0a", 400, "bad-path"},
			{"encoded DEL", "/ten.txt%7F", 400, "bad-path"},
			{"half a character", "/%E0%A4", 400, "bad-path"},
			{"half a character in a name", "/gr%c3e.txt", 400, "bad-path"},
			{"overlong encoding", "/%c0%afetc", 400, "bad-path"},
			{"bare percent", "/100%.txt", 400, "\n\nBellglass: "}, // for the server it is not a URL
			{"reserved: the state", "/.bellglass/state", 403, "reserved-path"},
			{"reserved: the script", "/.bellglass/sw.js", 403, "reserved-path"},
			{"reserved: nothing", "/.bellglass/nothing.txt", 403, "reserved-path"},
			{"reserved: by way of dots", "/sub/../.bellglass/state", 403, "reserved-path"},
			{"reserved: encoded", "/%2ebellglass/state", 404, "no virtual file"},
		} {
			if strings.HasPrefix(row.name, "reserved") && worker != "" {
				continue // Without the worker these paths are the server's own, and its own tests cover them.
			}
			t.Run(row.name, func(t *testing.T) {
				got := get(t, shared, row.path)
				whole := row.status != 200 || got.Text == row.text
				if got.Status != row.status || !whole || !strings.Contains(got.Text, row.text) {
					t.Errorf("GET %s: %d %q, want %d %q", row.path, got.Status, got.Text, row.status, row.text)
				}
			})
		}
	})

	t.Run("type", func(t *testing.T) {
		for path, want := range map[string]string{
			"/t/x.js":      "text/javascript; charset=utf-8",
			"/t/x.mjs":     "text/javascript; charset=utf-8",
			"/t/x.css":     "text/css; charset=utf-8",
			"/t/x.json":    "application/json",
			"/t/x.svg":     "image/svg+xml",
			"/t/x.wasm":    "application/wasm",
			"/t/x.ts":      "text/typescript; charset=utf-8", // operating systems call it a video
			"/t/x.html":    "text/html; charset=utf-8",
			"/t/x.txt":     "text/plain; charset=utf-8",
			"/t/x":         "application/octet-stream",
			"/t/x.unknown": "application/octet-stream",
		} {
			t.Run(path, func(t *testing.T) {
				got := get(t, shared, path)
				if got.Headers["content-type"] != want || got.Headers["x-content-type-options"] != "nosniff" {
					t.Errorf("%s is %q, sniffing %q; want %q, nosniff", path, got.Headers["content-type"], got.Headers["x-content-type-options"], want)
				}
			})
		}
	})

	t.Run("wasm streams", func(t *testing.T) {
		// instantiateStreaming rejects a wrong type.
		if got := shared.In(t).Eval(`async () => String((await WebAssembly.instantiateStreaming(fetch('/t/x.wasm'))).instance)`); got != "[object WebAssembly.Instance]" {
			t.Errorf("instantiateStreaming gave %v", got)
		}
	})

	t.Run("empty file", func(t *testing.T) {
		got := get(t, shared, "/empty.txt")
		if got.Status != 200 || got.Size != 0 || got.Headers["content-length"] != "0" {
			t.Errorf("%d with %d bytes, Content-Length %q; want 200 and 0", got.Status, got.Size, got.Headers["content-length"])
		}
	})

	t.Run("HEAD", func(t *testing.T) {
		for path, length := range map[string]string{"/ten.txt": "10", "/empty.txt": "0", "/sub/index.html": fmt.Sprint(len(folderPage))} {
			head, get := ask(t, shared, "HEAD", path, nil), get(t, shared, path)
			if head.Status != 200 || head.Size != 0 || head.Headers["content-length"] != length {
				t.Errorf("HEAD %s: %d with %d bytes, Content-Length %q; want 200, 0 and %s", path, head.Status, head.Size, head.Headers["content-length"], length)
			}
			for _, name := range []string{"etag", "content-type", "accept-ranges", "content-length"} {
				if head.Headers[name] != get.Headers[name] {
					t.Errorf("HEAD %s: %s is %q, and GET has %q", path, name, head.Headers[name], get.Headers[name])
				}
			}
		}
		if got := ask(t, shared, "HEAD", "/missing", nil); got.Status != 404 {
			t.Errorf("HEAD of a missing file: %d", got.Status)
		}
	})

	t.Run("method", func(t *testing.T) {
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"} {
			for _, path := range []string{"/ten.txt", "/", "/missing"} {
				got := ask(t, shared, method, path, nil)
				if got.Status != 405 || got.Headers["allow"] != "GET, HEAD" || !strings.Contains(got.Text, "method-not-allowed") {
					t.Errorf("%s %s: %d, Allow %q, %q; want 405", method, path, got.Status, got.Headers["allow"], got.Text)
				}
			}
		}
	})

	t.Run("not found", func(t *testing.T) {
		got := get(t, shared, "/sub/missing.txt")
		for _, want := range []string{"/sub/missing.txt", "/sub/missing.txt.html", "revision 1", "/sub/other.txt", "/sub/deep/x.html"} {
			if got.Status != 404 || !strings.Contains(got.Text, want) {
				t.Errorf("%d %q, want 404 with %s", got.Status, got.Text, want)
			}
		}
		if strings.Contains(got.Text, "--fallback") {
			t.Errorf("%q speaks of a fallback, which a fetch does not get", got.Text)
		}
		if strings.Contains(got.Text, "/ten.txt") {
			t.Errorf("%q lists a file of another folder", got.Text)
		}
		// A frame shows it as a page, in which the path is plain text.
		page := shared.In(t).Nest("/<img src=x>/missing", `(w) => w.document.querySelectorAll('img').length + w.document.body.innerText`)
		if text := page.(string); !strings.HasPrefix(text, "0404: ") || !strings.Contains(text, "<img src=x>") || !strings.Contains(text, "--fallback /index.html") {
			t.Errorf("the page of a missing path says %q", text)
		}
	})
	testIndexes(t, shared, worker == "")
	testRanges(t, shared)
	testETags(t, g, shared, sandbox)
	testOwnNotFound(t, g, shared, sandbox, worker == "")
}

// A navigation to a missing file gets the sandbox's own page, with status 404. A fetch gets
// the text that says why. The log counts neither as a file.
func testOwnNotFound(t *testing.T, g *glass.Server, shared *glass.View, sandbox *server.Sandbox, byWorker bool) {
	t.Run("own page for what there is not", func(t *testing.T) {
		v := shared.In(t)
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/index.html": filesPage, "/404.html": "<!doctype html><title>Own</title><p>own page"})); err != nil {
			t.Fatal(err)
		}
		page := v.Nest("/sub/of-a-page", `(w) => w.performance.getEntriesByType('navigation')[0].responseStatus + w.document.querySelector('p').textContent`)
		if page != "404own page" {
			t.Errorf("the frame shows %v", page)
		}
		if got := get(t, v, "/sub/of-a-fetch"); got.Status != 404 || !strings.Contains(got.Text, "no virtual file /sub/of-a-fetch") {
			t.Errorf("a fetch gets %d %q", got.Status, got.Text)
		}
		if !byWorker {
			return // and the server logs no requests
		}
		get(t, v, "/index.html")
		ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
		defer cancel()
		codes := map[string]string{}
		for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
			if err != nil {
				t.Fatal(err)
			}
			verdict, ok := event.(protocol.VerdictEvent)
			if !ok || verdict.Revision != sandbox.Revision() {
				continue
			}
			codes[strings.TrimPrefix(verdict.URL, v.Origin)] = verdict.Code
			if strings.HasSuffix(verdict.URL, "/index.html") {
				break
			}
		}
		if want := map[string]string{"/sub/of-a-page": "not-found", "/sub/of-a-fetch": "not-found", "/index.html": "virtual"}; !maps.Equal(codes, want) {
			t.Errorf("the log's codes are %v, want %v", codes, want)
		}
	})
}

// The server cannot redirect, because Connection-Allowlist blocks redirects. So requests other
// than navigations get the page at once. The server never sees a fragment.
func testIndexes(t *testing.T, shared *glass.View, byWorker bool) {
	t.Run("index", func(t *testing.T) {
		v := shared.In(t)
		if got := get(t, v, "/"); got.Text != filesPage {
			t.Errorf("/ is %q", got.Text)
		}
		if got := get(t, v, "/sub/"); got.Status != 200 || got.Redirected || got.Text != folderPage {
			t.Errorf("/sub/ is %d %q", got.Status, got.Text)
		}
		got := get(t, v, "/sub?a=1&b=%2f")
		address, part := got.URL, "#part"
		if !byWorker {
			address, part = got.Headers["content-location"], ""
		}
		if got.Status != 200 || got.Redirected != byWorker || address != v.Origin+"/sub/?a=1&b=%2f" || got.Text != folderPage {
			t.Errorf("/sub leads to %s (redirected: %v) with %q, want the folder with its slash and the query", got.URL, got.Redirected, got.Text)
		}
		if got := get(t, v, "/sub/deep"); got.Status != 404 {
			t.Errorf("a folder without an index file: %d", got.Status)
		}
		// In a frame, its relative links lead into the folder. The document that redirects the
		// frame is not the last one to load.
		state := v.Nest("/sub?a=1&b=2#part", `async (w) => {
			while (w.document.documentElement.dataset.own === undefined) await new Promise((resolve) => w.frameElement.addEventListener('load', resolve, { once: true }))
			return [w.location.href, w.document.querySelector('a').href, w.document.documentElement.dataset.own].join(' ')
		}`)
		if want := v.Origin + "/sub/?a=1&b=2" + part + " " + v.Origin + "/sub/other.txt ran"; state != want {
			t.Errorf("the folder's page has address, link and script %v, want %s", state, want)
		}
	})
}
