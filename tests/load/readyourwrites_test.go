package load

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/firefox"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

var (
	interleavings = flag.Int("interleavings", 12, "how many courses of writes and loads each engine is taken through by TestReadYourWrites")
	courseSeed    = flag.Uint64("seed", 1, "what the courses of TestReadYourWrites are drawn from")
)

// When SetFiles or SetPolicy has returned, every load that then begins in the sandbox sees
// that revision or a newer one. That holds whatever happened to the worker and its
// connections. A load sees one revision, whole.
//
// A course has several steps. In each step something is written, ended, or delayed, and
// something is loaded then or meanwhile. A refused load, for example when the server could not
// be reached, is no answer, and is repeated.
func TestReadYourWrites(t *testing.T) {
	for name, open := range map[string]func(testing.TB, *glass.Server, *faults, *server.Sandbox) writesView{
		"Chromium": openWritesChromium, "Firefox": openWritesFirefox,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const perView = 25
			loads, lost, refused := 0, 0, map[string]int{}
			for first := 0; first < *interleavings; first += perView {
				t.Run(fmt.Sprint("courses from ", first), func(t *testing.T) {
					g, f := startWithFaults(t)
					c := &course{t: t, glass: g, faults: f, history: []tree{{1, 1}}, refused: refused}
					sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: c.files(1), Policy: glass.Parse(t, policyNamed(1)), Entry: "/index.html"})
					if err != nil {
						t.Fatal(err)
					}
					defer func() {
						if t.Failed() {
							t.Logf("seed %d: %q", *courseSeed, c.done)
						}
					}()
					c.sandbox, c.view = sandbox, open(t, g, f, sandbox)
					for number := first; number < min(first+perView, *interleavings) && !t.Failed(); number++ {
						c.run(number)
					}
					loads, lost = loads+c.loads, lost+c.lost
				})
			}
			t.Logf("seed %d: %d courses, %d loads were answered, %d documents had lost their worker; refused were %v", *courseSeed, *interleavings, loads, lost, refused)
		})
	}
}

// A writesView is the sandbox in a browser.
type writesView struct {
	// ask evaluates an expression in the view's document.
	ask func(t testing.TB, expression string, result any)
	// stop ends the worker as the browser does, or waits until the browser has.
	stop func(t testing.TB)
	// again reloads the document, in browsers in which a document was seen to lose its worker.
	again func(t testing.TB)
}

func openWritesChromium(t testing.TB, g *glass.Server, _ *faults, sandbox *server.Sandbox) writesView {
	page := glass.Unwatched(t).Open(t, sandbox.HostURL())
	var got [2]string
	if page.Eval(t, glass.Outcome, &got); got[0] != "ready" {
		t.Fatalf("the view is %s: %s", got[0], got[1])
	}
	frame := page.Frame(t, sandbox.URL()+"/index.html")
	return writesView{ask: frame.Eval, stop: page.StopServiceWorkers, again: func(t testing.TB) {
		t.Helper()
		frame.Navigate(t, sandbox.URL()+"/index.html")
		frame.Await(t, `document.readyState === 'complete' && globalThis.fetchAll`) // after a boot page
	}}
}

// impatient is a Firefox that ends an idle worker after 1 s instead of 30 s.
var impatient = glass.Shared(func() (*firefox.Browser, error) {
	return firefox.Launch(context.Background(), firefox.Options{Preferences: map[string]any{"dom.serviceWorkers.idle_timeout": 1_000, "dom.serviceWorkers.idle_extended_timeout": 1_000}})
})

func openWritesFirefox(t testing.TB, g *glass.Server, f *faults, sandbox *server.Sandbox) writesView {
	page := impatient(t).Open(t, fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.Port, sandbox.ID()))
	var got [2]string
	if page.Eval(t, glass.Outcome, &got); got[0] != "ready" {
		t.Fatalf("the view is %s: %s", got[0], got[1])
	}
	return writesView{ask: page.Frame(t, sandbox.URL()+"/index.html").Eval, stop: f.silent}
}

// A tree identifies the content of one revision. Files is the number that each file contains.
// Policy is the number of the policy, which shows in the headers of each answer.
type tree struct{ Files, Policy int }

type course struct {
	t       *testing.T
	glass   *glass.Server
	faults  *faults
	sandbox *server.Sandbox
	view    writesView

	mu      sync.Mutex
	history []tree // by revision, from 1, including the one being written
	written int    // number of acknowledged ones, minus one

	done    []string // what happened in this course
	loads   int
	refused map[string]int // how often, by reason
	lost    int            // how often the view's document lost its worker
}

func (c *course) files(number int) *vfs.Snapshot {
	text := func(size int) string {
		return fmt.Sprintf("%d:%s:%d", number, strings.Repeat("x", size+number%1_000), number)
	}
	return c.glass.Files(c.t, map[string]string{
		"/index.html": writesIndex,
		"/page.html":  fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>Page</title><meta name="number" content="%d"><script src="part.js"></script>`, number),
		"/part.js":    fmt.Sprintf("window.part = %d", number),
		"/a.txt":      text(10), "/b.txt": text(5_000),
		"/large.txt": text(80_000), // more than the worker keeps
	})
}

// policyNamed returns a policy that encodes number modulo 8 in what scripts may do. Those
// policies differ for documents, but not for the worker. Policies with different number/2 open
// different hosts, so the worker is replaced.
func policyNamed(number int) string {
	scripts := []string{"inline"}
	for bit, name := range []string{"eval", "wasm", "blob"} {
		if number>>bit&1 == 1 {
			scripts = append(scripts, name)
		}
	}
	return fmt.Sprintf("version: 1\ndefault: block\nscripts: [%s]\nrules:\n  - id: half\n    allow: https://h%d.example.com/**\n", strings.Join(scripts, ", "), number/2)
}

// run takes the view through a course.
func (c *course) run(number int) {
	r := rand.New(rand.NewPCG(*courseSeed, uint64(number)))
	c.done = []string{fmt.Sprint("course ", number)}
	steps := map[string]func(){
		"files": func() { c.write(false) }, "policy": func() { c.write(true) },
		"stop": func() { c.view.stop(c.t) }, "cut": c.faults.cut,
		// No change is sent while it is made.
		"held files": func() {
			c.faults.hold.Lock()
			defer c.faults.hold.Unlock()
			c.write(false)
		},
		"nothing": func() {},
	}
	weighted := slices.Concat(slices.Repeat([]string{"files"}, 8), slices.Repeat([]string{"held files", "stop", "cut"}, 2), []string{"policy", "policy", "nothing"})
	loads := []string{"fetchAll", "fetchAll", "fetchAll", "visitPage", "reloadPage"}
	for range 3 + r.IntN(5) {
		step, load, meanwhile := weighted[r.IntN(len(weighted))], loads[r.IntN(len(loads))], r.IntN(3) == 0
		c.done = append(c.done, fmt.Sprintf("%s, %s (meanwhile: %v)", step, load, meanwhile))
		if !meanwhile || step == "stop" {
			steps[step]()
			c.load(load)
			continue
		}
		var stepping sync.WaitGroup
		stepping.Go(steps[step])
		c.load(load)
		stepping.Wait()
		c.load(load)
	}
}

// write makes the next revision and waits until it is acknowledged.
func (c *course) write(policy bool) {
	c.mu.Lock()
	next := c.history[len(c.history)-1]
	if policy {
		next.Policy++
	} else {
		next.Files++
	}
	c.history = append(c.history, next)
	c.mu.Unlock()
	var revision int64
	var err error
	if policy {
		revision, err = c.sandbox.SetPolicy(glass.Parse(c.t, policyNamed(next.Policy)))
	} else {
		revision, err = c.sandbox.SetFiles(c.files(next.Files))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || int(revision) != len(c.history) {
		c.t.Errorf("writing revision %d: %d, %v", len(c.history), revision, err)
	}
	c.written = len(c.history) - 1
}

// acknowledged returns the number of revisions before the newest acknowledged one.
func (c *course) acknowledged() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.written
}

// A sight is what one load saw.
type sight struct {
	What    string
	Refused string // why there was no answer
	Torn    string // why the answer was never written in this form
	Files   int
	Policy  int // modulo 8, or -1 if unknown
}

// load repeats its loads until all were answered. It checks each answer against the revisions
// acknowledged before the load began.
func (c *course) load(how string) {
	again := time.Now().Add(lostAfter)
	for deadline := time.Now().Add(browser.Patience); ; {
		since := c.acknowledged()
		var sights []sight
		c.view.ask(c.t, how+"()", &sights)
		refused := ""
		for _, s := range sights {
			if s.Refused != "" {
				refused = s.What + ": " + s.Refused
				c.refused[refused]++
				continue
			}
			c.loads++
			c.judge(how, since, s)
		}
		if refused == "" {
			return
		}
		var workers string
		if now := time.Now(); now.After(deadline) || now.After(again) {
			c.view.ask(c.t, workersHere, &workers)
		}
		if time.Now().After(deadline) || workers == lostWorker && (c.lost > 0 || c.view.again == nil) {
			c.t.Fatalf("%s is refused again and again: %s; the document has %s; %q", how, refused, workers, c.done)
		}
		if workers == lostWorker {
			c.lost++
			c.view.again(c.t)
		}
	}
}

// In one of some thousand courses, a document of Chromium (156) lost its worker for good,
// because the worker was replaced at the moment when it was stopped. The document's requests
// then bypass the worker that it reports as in control, and are refused. Nothing outdated is
// answered, and a reload, which a person would do, gives the document a worker again. This may
// happen once in a view.
const (
	lostAfter  = 10 * time.Second // far longer than the browser takes to replace a worker
	lostWorker = "the right one in control, and no other"
)

// workersHere reports whether an active worker without a successor controls the document. If
// not, it describes the workers that exist.
const workersHere = `(async () => {
	const { controller } = navigator.serviceWorker
	const of = (worker) => worker === null ? 'none' : worker.state + ' ' + worker.scriptURL
	const all = await navigator.serviceWorker.getRegistrations()
	if (all.length === 1 && controller?.state === 'activated' && controller === all[0].active && all[0].waiting === null && all[0].installing === null) return '` + lostWorker + `'
	return JSON.stringify({ controller: of(controller), registrations: all.map((r) => ({ active: of(r.active), waiting: of(r.waiting), installing: of(r.installing) })) })
})()`

func (c *course) judge(how string, since int, s sight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	matches := func(tr tree) bool { return tr.Files == s.Files && (s.Policy < 0 || tr.Policy%8 == s.Policy) }
	if s.Torn != "" || !slices.ContainsFunc(c.history[since:], matches) {
		c.t.Errorf("%s: %s saw %+v, and %+v was acknowledged before (newest: %+v); seed %d, %q",
			how, s.What, s, c.history[since], c.history[len(c.history)-1], *courseSeed, c.done)
	}
}

// writesIndex is the view's document, which stays open. Each of its functions loads something
// and reports what it saw.
const writesIndex = `<!doctype html><meta charset="utf-8"><title>Writes</title><script>
async function one(path) {
	const sight = { What: path }
	try {
		const response = await fetch(path)
		const text = await response.text()
		if (response.status !== 200) return { ...sight, Refused: response.status + ' ' + text.slice(0, 200) }
		const [, first, last] = /^([0-9]+):x*:([0-9]+)$/.exec(text) ?? []
		const scripts = /script-src ([^;]*)/.exec(response.headers.get('content-security-policy'))[1].split(' ')
		const Policy = ["'unsafe-eval'", "'wasm-unsafe-eval'", 'blob:'].reduce((sum, word, bit) => sum + (scripts.includes(word) ? 1 << bit : 0), 0)
		if (first === undefined || first !== last || text.length !== Number(response.headers.get('content-length'))) return { ...sight, Torn: text.slice(0, 50) }
		return { ...sight, Files: Number(first), Policy }
	} catch (error) {
		return { ...sight, Refused: String(error) }
	}
}

function fetchAll() { return Promise.all(['/a.txt', '/b.txt', '/large.txt'].map(one)) }

let frame

// shown waits for the document that replaces before, and ignores the boot page.
async function shown(before) {
	const refused = (Refused) => [{ What: 'document', Refused }]
	for (;;) {
		await new Promise((resolve) => { frame.addEventListener('load', resolve, { once: true }); setTimeout(resolve, 50) })
		const now = frame.contentDocument
		if (now === null) return refused('the browser shows its own page')
		if (now === before || now.URL === 'about:blank' || now.readyState !== 'complete') continue
		const number = now.querySelector('meta[name=number]')?.content
		if (number !== undefined) {
			const { part } = frame.contentWindow
			return [{ What: 'document', Files: Number(number), Policy: -1 }, part === undefined ? { What: 'script', Refused: 'it did not run' } : { What: 'script', Files: part, Policy: -1 }]
		}
		if (now.querySelector('script#data') === null) return refused(now.body.textContent.slice(0, 200))
		if (now.querySelector('#message:not([hidden])') !== null) return refused(now.body.textContent)
	}
}

async function visitPage() {
	frame?.remove()
	frame = document.createElement('iframe')
	frame.src = '/page.html'
	document.body.append(frame)
	return shown(frame.contentDocument)
}

async function reloadPage() {
	if (frame?.contentDocument?.querySelector('meta[name=number]') == null) return visitPage()
	const before = frame.contentDocument
	frame.contentWindow.location.reload()
	return shown(before)
}
</script>`
