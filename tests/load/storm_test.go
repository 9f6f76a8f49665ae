package load

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The limits on the cost of the storm.
const (
	// stormPeak bounds the server's memory at any time. stormHeap bounds the memory held
	// afterwards.
	stormPeak = 384 << 20 // bytes
	stormHeap = 96 << 20  // bytes
	// stormSlower bounds how much longer another sandbox waits for an answer than without the
	// storm, by the medians of the same requests.
	stormSlower = 10
	stormAsks   = 300 // number of requests for each median
)

// One sandbox tries everything to take the server away from the other. Its page makes ten
// thousand blocked requests, fills its console, and forges reports. Clients that hold its
// secret and its token flood the server, open streams, send nothing, or never read. The other
// sandbox is served as before. The server's memory and its log stay bounded, and the server
// reports how much was dropped.
func TestStorm(t *testing.T) {
	birds := canary.Start(t)
	s := startStorm(t)
	files := map[string]string{"/index.html": glass.BlankPage}
	for i := range 50 {
		files[fmt.Sprintf("/file%d.txt", i)] = fmt.Sprintf("contents %d %s", i, rand.Text())
	}
	hostile := s.client(t, s.sandbox(t, workerBlocks(birds, "storm"), map[string]string{"/index.html": glass.BlankPage, "/storm.js": stormWorker}))
	quiet := s.client(t, s.sandbox(t, glass.AllScripts, files))
	attacker, neighbor := s.open(t, hostile), s.open(t, quiet)
	// A second server on the same machine has no storm. It shows which part of the waiting is
	// due to the machine, which also runs the browser and the clients.
	elsewhere := startStorm(t)
	spared := elsewhere.client(t, elsewhere.sandbox(t, glass.AllScripts, files))

	told := hostile.listen(t)
	before := medians(t, quiet)[0]
	calm := hostile.blow(t)
	page := make(chan error, 1)
	frame := attacker.Frame()
	go func() { page <- stormPage(frame, birds.URL("storm", "/")) }()
	created := s.ask(t, "create 1500")
	both := medians(t, quiet, spared)
	during, outside := both[0], both[1]
	if got := neighbor.Eval(`async () => {
		let texts = {}
		for (let i = 0; i < 50; i++) texts['/file' + i + '.txt'] = await (await fetch('/file' + i + '.txt', { cache: 'no-store' })).text()
		return JSON.stringify(texts)
	}`); !sameFiles(t, got, files) {
		t.Errorf("in the storm the other sandbox reads %v", got)
	}
	if err := <-page; err != nil {
		t.Errorf("the storm's page: %v", err)
	}
	calm()

	t.Logf("the median answer took %v before and %v during the storm, when that of another server took %v; %d requests of it were answered, %d refused; %d streams, %d connections were held",
		before, during, outside, hostile.storm.Taken, hostile.storm.Refused, hostile.storm.Streams, hostile.storm.Held)
	if during > stormSlower*max(before, outside) {
		t.Errorf("the other sandbox waits %v during the storm, %v before it, and %v without one", during, before, outside)
	}
	if hostile.storm.Refused == 0 || hostile.storm.Streams == 0 {
		t.Error("nothing was refused, so it was no storm")
	}
	// More sandboxes than the limit are possible only if the storm lasted so long that the
	// first had been idle for a minute.
	if created.Made < stormSandboxes-2 || created.Refused == 0 {
		t.Errorf("%d sandboxes were made, %d refused; want %d and the rest", created.Made, created.Refused, stormSandboxes-2)
	}
	s.wantBounded(t)
	for _, hit := range birds.Hits("storm") {
		t.Errorf("got out: %s %s", hit.Method, hit.Path)
	}
	hostile.wantBoundedLog(t)
	if !told.Load() {
		t.Error("a reader of the log during the storm gets no line that says that events were dropped")
	}
	// Afterwards everything works again, for the hostile sandbox, too.
	for _, client := range []*stormClient{quiet, hostile} {
		client.eventually(t, 200, "GET", client.URL+"/.bellglass/state")
	}
}

// stormPage is the page's part of the storm, in turns: the driver waits for each. A worker of
// the page makes most of the requests, because the driver is not notified of each of those.
func stormPage(frame playwright.Frame, target string) error {
	const turns, fetches = 20, 500
	if _, err := glass.Evaluate(frame, forging); err != nil {
		return err
	}
	for turn := range turns {
		refused, err := glass.Evaluate(frame, fmt.Sprintf(`async () => {
			const giant = 'x'.repeat(4 << 20)
			forge([{ kind: 'console', level: 'log', text: giant }], 1)
			parent.postMessage({ kind: 'boot', protocol: 1, text: giant }, '*')
			top.postMessage(giant, '*')
			for (let i = 0; i < 250; i++) console.log('flood', i)
			let refused = 0
			await Promise.all(Array.from({ length: 50 }, (_, i) => fetch(%[1]q + i).catch(() => refused++)))
			const worker = new Worker('/storm.js')
			worker.postMessage({ target: %[1]q, first: 50, last: %[2]d })
			refused += (await new Promise((resolve) => (worker.onmessage = resolve))).data
			worker.terminate()
			return refused
		}`, fmt.Sprint(target, turn, "/"), fetches))
		if err != nil {
			return err
		}
		if refused != fetches {
			return fmt.Errorf("%v of %d requests were refused", refused, fetches)
		}
	}
	return nil
}

const stormWorker = `onmessage = async ({ data: { target, first, last } }) => {
	let refused = 0
	await Promise.all(Array.from({ length: last - first }, (_, i) => fetch(target + (first + i)).catch(() => refused++)))
	postMessage(refused)
}`

func sameFiles(t *testing.T, got any, files map[string]string) bool {
	t.Helper()
	text, _ := got.(string)
	for path, contents := range files {
		if path != "/index.html" && !strings.Contains(text, glass.Literal(t, path)+":"+glass.Literal(t, contents)) {
			return false
		}
	}
	return true
}

// wantBounded checks the server's memory and log.
func (s *storm) wantBounded(t *testing.T) {
	t.Helper()
	memory := s.ask(t, "memory")
	t.Logf("the server had at most %d MiB, and holds %d MiB", memory.Peak>>20, memory.Heap>>20)
	if memory.Peak > stormPeak || memory.Heap > stormHeap {
		t.Errorf("the server had %d bytes at most, and holds %d; want %d and %d", memory.Peak, memory.Heap, stormPeak, stormHeap)
	}
	seconds := int(time.Since(s.log.started).Seconds()) + 1
	total, left := 0, s.log.count("lines were left out of this log: there were too many at once")
	for _, message := range []string{"blocked", "a flood was refused", "a stream was refused"} {
		total += s.log.count(message)
	}
	t.Logf("the log has %d lines of the storm in %d s, and tells %d times how many it has not", total, seconds, left)
	if most := 2*100 + 2*5*seconds; total > most || left == 0 {
		t.Errorf("the log has %d lines of two sandboxes in %d s, want at most %d; it tells %d times how many it has not", total, seconds, most, left)
	}
}

// open opens a sandbox's host page.
func (s *storm) open(t *testing.T, c *stormClient) *glass.View {
	t.Helper()
	v := glass.NewView(t, glass.NewPage(t), c.URL)
	if _, err := v.Page.Goto(fmt.Sprintf("http://localhost:%d/sandboxes/%s", s.port, c.ID)); err != nil {
		t.Fatal(err)
	}
	v.WaitState("ready")
	return v
}
