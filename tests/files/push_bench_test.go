package files

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// The cost of a change until a page has it, in Chromium, each time beside the same bytes
// without Bellglass. docs/push.md has the figures.
//
//	go test ./tests/files -run '^$' -bench Push -benchtime 10x

// A pusher is a view in which something is measured, with a plain server beside it.
type pusher struct {
	*glass.Server
	b       *testing.B
	sandbox *server.Sandbox
	view    *glass.View
	plain   *plainServer
}

// A plainServer serves the page that measures. All other requests are answered as the test
// says.
type plainServer struct {
	url   string
	serve http.HandlerFunc
}

const (
	pushedFiles = 1_000
	pushedSize  = 2 << 10
	largeSize   = 50 << 20
)

// pushIndex is the view's document. Its functions return milliseconds.
const pushIndex = `<!doctype html><meta charset="utf-8"><title>Push</title><script>
async function read(path) {
	const begun = performance.now()
	const reader = (await fetch(path, { cache: 'no-store' })).body.getReader()
	let bytes = 0
	for (let step; !(step = await reader.read()).done;) bytes += step.value.length
	return [performance.now() - begun, bytes]
}
async function painted(number) {
	const old = document.querySelector('iframe')
	const begun = performance.now()
	old.contentWindow.location.reload()
	await new Promise((resolve) => old.addEventListener('load', resolve, { once: true }))
	await new Promise((resolve) => old.contentWindow.requestAnimationFrame(() => old.contentWindow.requestAnimationFrame(resolve)))
	return [performance.now() - begun, Number(old.contentDocument.querySelector('p').textContent)]
}
</script><iframe src="/page.html"></iframe>`

func pushPage(number int) string {
	return fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>Page</title><link rel="stylesheet" href="/page.css"><p>%d</p><script src="/page.js"></script>`, number)
}

func newPusher(b *testing.B, files map[string][]byte) *pusher {
	b.Helper()
	p := &pusher{Server: glass.Start(b, func(c *server.Config) { c.Log = glass.Quiet }), b: b, plain: &plainServer{}}
	listeners := glass.Listen(b)
	p.plain.url = fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	glass.Serve(b, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/index.html" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, pushIndex)
			return
		}
		p.plain.serve(w, r)
	}))
	sandbox, err := p.Create(server.Spec{Name: "push", Files: p.snapshot(files), Policy: glass.Parse(b, glass.AllScripts), Entry: "/index.html"})
	if err != nil {
		b.Fatal(err)
	}
	p.sandbox = sandbox
	p.view = p.Open(b, "localhost", sandbox)
	return p
}

func (p *pusher) snapshot(files map[string][]byte) *vfs.Snapshot {
	p.b.Helper()
	snapshot, err := p.Store().Snapshot(files, vfs.DefaultLimits())
	if err != nil {
		p.b.Fatal(err)
	}
	return snapshot
}

func (p *pusher) push(files map[string][]byte) time.Duration {
	p.b.Helper()
	snapshot := p.snapshot(files)
	begun := time.Now()
	if _, err := p.sandbox.SetFiles(snapshot); err != nil {
		p.b.Fatal(err)
	}
	return time.Since(begun)
}

// plainPage opens the measuring document at the plain server.
func (p *pusher) plainPage() playwright.Page {
	p.b.Helper()
	page := glass.NewPage(p.b)
	if _, err := page.Goto(p.plain.url + "/index.html"); err != nil {
		p.b.Fatal(err)
	}
	return page
}

// report prints both times for one round, and their ratio.
func report(b *testing.B, ours, plain time.Duration) {
	b.Helper()
	rounds := float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(ours.Microseconds())/1_000/rounds, "ms/bellglass")
	b.ReportMetric(float64(plain.Microseconds())/1_000/rounds, "ms/plain")
	b.ReportMetric(float64(ours)/float64(plain), "ratio")
}

func BenchmarkPush(b *testing.B) {
	b.Run("1,000 files", benchmarkPushFiles)
	b.Run("one large file", benchmarkPushLarge)
	b.Run("one file until it is painted", benchmarkPushPainted)
}

// benchmarkPushFiles measures from before SetFiles until the page has read the last of the new
// files. It compares that with one fetch of as many bytes.
func benchmarkPushFiles(b *testing.B) {
	tree := func(round int) map[string][]byte {
		files := map[string][]byte{"/index.html": []byte(pushIndex), "/page.html": []byte(pushPage(0)), "/page.css": nil, "/page.js": nil}
		for i := range pushedFiles {
			files[fmt.Sprintf("/src/%d.js", i)] = fmt.Appendf(nil, "%8d %8d %s", round, i, strings.Repeat("x", pushedSize-18))
		}
		return files
	}
	p := newPusher(b, tree(0))
	whole := bytes.Repeat([]byte("x"), pushedFiles*pushedSize)
	p.plain.serve = func(w http.ResponseWriter, _ *http.Request) { w.Write(whole) }
	frame, page := p.view.Frame(), p.plainPage()
	var ours, plain, waited time.Duration
	for round := 1; round <= b.N; round++ {
		files := tree(round)
		begun := time.Now()
		waited += p.push(files)
		_, bytes := glass.Measure(b, glass.InChromium(frame), fmt.Sprintf("read('/src/%d.js')", pushedFiles-1))
		ours += time.Since(begun)
		begun = time.Now()
		_, size := glass.Measure(b, glass.InChromium(page), "read('/whole')")
		plain += time.Since(begun)
		if bytes != pushedSize || size != len(whole) {
			b.Fatalf("%d and %d bytes were read", bytes, size)
		}
	}
	report(b, ours, plain)
	b.ReportMetric(float64(waited.Microseconds())/1_000/float64(b.N), "ms/SetFiles")
}

func benchmarkPushLarge(b *testing.B) {
	content := bytes.Repeat([]byte("0123456789abcdef"), largeSize/16)
	p := newPusher(b, map[string][]byte{"/index.html": []byte(pushIndex), "/page.html": []byte(pushPage(0)), "/large.bin": content})
	p.plain.serve = func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "large.bin", time.Time{}, bytes.NewReader(content))
	}
	frame, page := p.view.Frame(), p.plainPage()
	var ours, plain time.Duration
	for range b.N {
		mine, size := glass.Measure(b, glass.InChromium(frame), "read('/large.bin')")
		theirs, same := glass.Measure(b, glass.InChromium(page), "read('/large.bin')")
		if size != largeSize || same != largeSize {
			b.Fatalf("%d and %d bytes were read", size, same)
		}
		ours, plain = ours+mine, plain+theirs
	}
	report(b, ours, plain)
}

func benchmarkPushPainted(b *testing.B) {
	tree := func(round int) map[string][]byte {
		return map[string][]byte{"/index.html": []byte(pushIndex), "/page.html": []byte(pushPage(round)), "/page.css": []byte("p { color: green }"), "/page.js": []byte("document.title = 'ran'")}
	}
	p := newPusher(b, tree(0))
	now := tree(0)
	p.plain.serve = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", vfs.ContentType(r.URL.Path))
		w.Header().Set("Cache-Control", "no-cache")
		w.Write(now[r.URL.Path])
	}
	frame, page := p.view.Frame(), p.plainPage()
	var ours, plain, waited time.Duration
	for round := 1; round <= b.N; round++ {
		begun := time.Now()
		waited += p.push(tree(round))
		_, seen := glass.Measure(b, glass.InChromium(frame), "painted()")
		ours += time.Since(begun)
		begun = time.Now()
		now = tree(round)
		_, same := glass.Measure(b, glass.InChromium(page), "painted()")
		plain += time.Since(begun)
		if seen != round || same != round {
			b.Fatalf("round %d shows %d, and plain %d", round, seen, same)
		}
	}
	report(b, ours, plain)
	b.ReportMetric(float64(waited.Microseconds())/1_000/float64(b.N), "ms/SetFiles")
}
