package library

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// addWasm is a module that imports a shared memory and exports add(n). add increments the
// number at address 0 by 1, n times, atomically.
var addWasm = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x05\x01\x60\x01\x7f\x00" + // types: (i32) -> ()
	"\x02\x09\x01\x01e\x01m\x02\x03\x01\x01" + // imports: e.m, a shared memory of one page
	"\x03\x02\x01\x00" + // functions: one, of type 0
	"\x07\x07\x01\x03add\x00\x00" + // exports: add, function 0
	"\x0a\x19\x01\x17\x00" + // code: one body of 23 bytes, without locals
	"\x03\x40" + // loop
	"\x41\x00\x41\x01\xfe\x1e\x02\x00\x1a" + // i32.const 0, i32.const 1, i32.atomic.rmw.add, drop
	"\x20\x00\x41\x01\x6b\x22\x00\x0d\x00" + // local.get 0, i32.const 1, i32.sub, local.tee 0, br_if 0
	"\x0b\x0b") // end, end

// threadsFiles are a page that reports whether it, its workers, and its frame are isolated,
// and what it can do with shared memory.
var threadsFiles = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Threads</title><body><script type="module" src="/main.js"></script>`,
	"/frame.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Frame</title><script>parent.postMessage(self.crossOriginIsolated)</script>`,
	"/nested.js":  `postMessage(self.crossOriginIsolated)`,
	"/worker.js":  `postMessage(self.crossOriginIsolated)`,
	"/parent.js":  `self.nested = new Worker('/nested.js'); nested.onmessage = ({ data }) => postMessage(data)`,
	"/wait.js":    `onmessage = ({ data }) => postMessage(Atomics.wait(new Int32Array(data), 1, 0))`,
	"/add.js": `onmessage = async ({ data: { memory, times } }) => {
	const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'), { e: { m: memory } })
	instance.exports.add(times)
	postMessage('added')
}`,
	"/add.wasm": string(addWasm),
	"/main.js": `const answer = (target, begin) => new Promise((resolve, reject) => {
	target.addEventListener('message', ({ data }) => resolve(data), { once: true })
	target.addEventListener('error', (event) => reject(new Error(event.message)), { once: true })
	begin?.()
})
// A browser may collect a worker that nothing refers to.
const workers = []
const ask = (script, message) => {
	const worker = new Worker(script)
	workers.push(worker)
	return answer(worker, () => { if (message !== undefined) worker.postMessage(message) })
}

// The worker wakes up from Atomics.wait. There is no waiter to notify until it waits.
async function share() {
	const words = new Int32Array(new SharedArrayBuffer(8))
	const woken = ask('/wait.js', words.buffer)
	while (Atomics.notify(words, 1) === 0) await new Promise((resolve) => setTimeout(resolve))
	return woken
}

async function add() {
	const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
	await Promise.all([ask('/add.js', { memory, times: 100_000 }), ask('/add.js', { memory, times: 50_000 })])
	return new Int32Array(memory.buffer)[0]
}

const picture = (src) => new Promise((resolve) => {
	const image = new Image()
	image.onload = () => resolve(true)
	image.onerror = () => resolve(false)
	image.src = src
})

const told = { document: self.crossOriginIsolated, picture: await picture('PICTURE'), worker: await ask('/worker.js') }
told.frame = await answer(window, () => {
	const frame = document.createElement('iframe')
	frame.src = '/frame.html'
	document.body.append(frame)
})
told.shares = typeof SharedArrayBuffer === 'function'
if (told.shares) {
	// Only an isolated page asks this. In Firefox (153), which isolates nothing, new Worker() in a
	// worker sometimes never returns (docs/embedding.md).
	told.nested = await ask('/parent.js')
	told.woken = await share()
	told.sum = await add()
}
console.log(JSON.stringify(told))`,
}

// A threadsReport is what the page of threadsFiles reports.
type threadsReport struct {
	Document, Worker, Nested, Frame bool   // isolated
	Picture                         bool   // another host's picture loads
	Shares                          bool   // there is a SharedArrayBuffer
	Woken                           string // what Atomics.wait in a worker returned
	Sum                             int    // of two wasm threads that add to one number
}

// With the grant, WebAssembly has threads in Chromium, in any page. A picture of an allowed
// host loads as before, although its response has no Cross-Origin-Resource-Policy. Other
// browsers do not know the header, and the grant changes nothing there.
func TestThreads(t *testing.T) {
	t.Parallel()
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	}))
	t.Cleanup(pictures.Close)
	policy := glass.AllScripts + "rules:\n  - allow: " + pictures.URL + "/*\n    types: [image]\n"
	plain := glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><title>Frame</title><iframe src="%s"></iframe>`, r.FormValue("src"))
	})
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{plain} })
			for _, granted := range []bool{false, true} {
				spec := server.Spec{Files: threads(t, g, pictures.URL), Policy: glass.Parse(t, policy), Keep: true}
				want := threadsReport{Picture: true}
				if granted {
					spec.Permissions = []string{"cross-origin-isolated"}
				}
				if granted && engine == "Chromium" {
					want = threadsReport{Document: true, Worker: true, Nested: true, Frame: true, Picture: true, Shares: true, Woken: "ok", Sum: 150_000}
				}
				for _, around := range []string{"host page", "plain frame"} {
					sandbox, err := g.Create(spec)
					if err != nil {
						t.Fatal(err)
					}
					url := sandbox.HostURL()
					if around == "plain frame" {
						url = plain + "/?src=" + sandbox.OuterURL()
					}
					open(t, url)
					if diff := cmp.Diff(want, reportOf(t, g, sandbox)); diff != "" {
						t.Errorf("granted %v, in a %s (-want +got):\n%s", granted, around, diff)
					}
				}
			}
		})
	}
}

func threads(t *testing.T, g *glass.Server, pictures string) *vfs.Snapshot {
	t.Helper()
	files := maps.Clone(threadsFiles)
	files["/main.js"] = strings.Replace(files["/main.js"], "PICTURE", pictures+"/a.svg", 1)
	return g.Files(t, files)
}

// reportOf waits until the page has reported, and fails if it throws.
func reportOf(t *testing.T, g *glass.Server, sandbox *server.Sandbox) (report threadsReport) {
	t.Helper()
	events := g.Log(t, sandbox, func(e glass.Logged) bool { return e.Type == "console" || e.Type == "error" })
	last := events[len(events)-1]
	if err := json.Unmarshal([]byte(last.Text), &report); err != nil {
		t.Fatalf("%v in %s", err, last.Text)
	}
	return report
}
