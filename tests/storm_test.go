package tests

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/canary"
)

// What the storm may cost.
const (
	// stormPeak bounds the server's memory at any time, stormHeap what of it is
	// held afterwards.
	stormPeak = 384 << 20 // bytes
	stormHeap = 96 << 20  // bytes
	// stormSlower bounds how much longer another sandbox waits for an answer than
	// when it is quiet, by the medians of the same requests.
	stormSlower = 10
	stormAsks   = 300 // how many requests each median is of
)

// One sandbox does all it can to take the server from the other: its page by
// ten thousand blocked requests, by its console and by what it forges, and
// clients that hold its secret and its token by floods, by streams, by silence,
// and by never reading. The other one is served as before, the server's memory
// and its log are bounded, and how much was left out is told.
func TestStorm(t *testing.T) {
	birds := canary.Start(t)
	s := startStorm(t)
	files := map[string]string{"/index.html": guardPage}
	for i := range 50 {
		files[fmt.Sprintf("/file%d.txt", i)] = fmt.Sprintf("contents %d %s", i, rand.Text())
	}
	hostile := s.client(t, s.sandbox(t, workerBlocks(birds, "storm"), map[string]string{"/index.html": guardPage, "/storm.js": stormWorker}))
	quiet := s.client(t, s.sandbox(t, allScripts, files))
	attacker, neighbour := s.open(t, hostile), s.open(t, quiet)
	// Another server on the same machine has no storm: it tells what of the waiting
	// is the machine's, which has the browser and the clients to run as well.
	elsewhere := startStorm(t)
	spared := elsewhere.client(t, elsewhere.sandbox(t, allScripts, files))

	before := medians(t, quiet)[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wind sync.WaitGroup
	for _, blow := range []func(context.Context){
		hostile.flood, hostile.hold,
	} {
		wind.Go(func() { blow(ctx) })
	}
	page := make(chan error, 1)
	frame := attacker.frame()
	go func() { page <- stormPage(frame, birds.URL("storm", "/")) }()
	created := s.ask(t, "create 1500")
	both := medians(t, quiet, spared)
	during, outside := both[0], both[1]
	if got := neighbour.eval(`async () => {
		let texts = {}
		for (let i = 0; i < 50; i++) texts['/file' + i + '.txt'] = await (await fetch('/file' + i + '.txt', { cache: 'no-store' })).text()
		return JSON.stringify(texts)
	}`); !sameFiles(t, got, files) {
		t.Errorf("in the storm the other sandbox reads %v", got)
	}
	if err := <-page; err != nil {
		t.Errorf("the storm's page: %v", err)
	}
	cancel()
	wind.Wait()

	t.Logf("the median answer took %v before and %v during the storm, when that of another server took %v; %d requests of it were answered, %d refused; %d streams, %d connections were held",
		before, during, outside, hostile.taken.Load(), hostile.refused.Load(), hostile.streams.Load(), hostile.held.Load())
	if during > stormSlower*max(before, outside) {
		t.Errorf("the other sandbox waits %v in the storm, %v before it, and %v where there is none", during, before, outside)
	}
	if hostile.refused.Load() == 0 || hostile.streams.Load() == 0 {
		t.Error("nothing was refused, so it was no storm")
	}
	// More than the limit only where the storm lasted so long that the first had
	// been idle for a minute.
	if created.Made < stormSandboxes-2 || created.Refused == 0 {
		t.Errorf("%d sandboxes were made, %d refused; want %d and the rest", created.Made, created.Refused, stormSandboxes-2)
	}
	s.wantBounded(t)
	for _, hit := range birds.Hits("storm") {
		t.Errorf("got out: %s %s", hit.Method, hit.Path)
	}
	hostile.wantBoundedLog(t)
	// And life goes on, for the hostile one too.
	for _, client := range []*stormClient{quiet, hostile} {
		client.eventually(t, 200, "GET", client.URL+"/.bellglass/state")
	}
}

// stormPage is the page's part of the storm, in turns: the driver waits for each.
// Most of the requests are made by a worker of the page, of which the driver is
// not told each.
func stormPage(frame playwright.Frame, target string) error {
	const turns, fetches = 20, 500
	if _, err := evaluateIn(frame, forging); err != nil {
		return err
	}
	for turn := range turns {
		refused, err := evaluateIn(frame, fmt.Sprintf(`async () => {
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
		if path != "/index.html" && !strings.Contains(text, literal(t, path)+":"+literal(t, contents)) {
			return false
		}
	}
	return true
}

// wantBounded looks at the server's memory and log.
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
func (s *storm) open(t *testing.T, c *stormClient) *view {
	t.Helper()
	v := &view{t: t, page: newPage(t), inner: c.URL}
	if _, err := v.page.Goto(fmt.Sprintf("http://localhost:%d/sandboxes/%s", s.port, c.ID)); err != nil {
		t.Fatal(err)
	}
	v.waitState("ready")
	return v
}

// A stormClient holds a sandbox's secret and token.
type stormClient struct {
	stormAnswer
	port            int
	secret          string
	events, reports string // addresses

	taken, refused, streams, held atomic.Int64
}

// client reads secret and token as any program can that is no browser.
func (s *storm) client(t *testing.T, sandbox stormAnswer) *stormClient {
	t.Helper()
	c := &stormClient{stormAnswer: sandbox, port: s.port}
	read := func(url string, header http.Header) string {
		response, err := c.do(t.Context(), "GET", url, header, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		b, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	script := read(c.URL+"/.bellglass/sw.js", http.Header{"Sec-Fetch-Dest": {"serviceworker"}, "Service-Worker": {"script"}})
	c.secret = between(t, script, `"secret":"`, `"`)
	outer := read(c.OuterURL, http.Header{"Sec-Fetch-Dest": {"iframe"}})
	origin, _, _ := strings.Cut(c.OuterURL, "/"+c.ID)
	c.events = origin + between(t, outer, `"events":"`, `"`)
	c.reports = origin + between(t, outer, `"reports":"`, `"`)
	return c
}

// do asks the server on the loopback address, which has the host's name nowhere.
func (c *stormClient) do(ctx context.Context, method, url string, header http.Header, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Sec-Fetch-Dest": {"empty"}, "Sec-Fetch-Site": {"same-origin"}, "Bellglass-Secret": {c.secret}}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Host, r.URL.Host = r.URL.Host, fmt.Sprintf("127.0.0.1:%d", c.port)
	return http.DefaultClient.Do(r)
}

// medians are how long a request of each sandbox takes, of several kinds. They
// are asked in turn, so that they meet the same moments.
func medians(t *testing.T, clients ...*stormClient) []time.Duration {
	t.Helper()
	all := make([][]time.Duration, len(clients))
	for i := range stormAsks {
		for n, c := range clients {
			all[n] = append(all[n], c.took(t, []string{c.URL + "/.bellglass/state", c.OuterURL, c.URL + "/.bellglass/client.js"}[i%3]))
		}
	}
	var medians []time.Duration
	for _, took := range all {
		slices.Sort(took)
		medians = append(medians, took[len(took)/2])
	}
	return medians
}

func (c *stormClient) took(t *testing.T, url string) time.Duration {
	t.Helper()
	start := time.Now()
	response, err := c.do(t.Context(), "GET", url, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err = io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != 200 {
		t.Fatalf("%s answers %s, %v", url, response.Status, err)
	}
	return time.Since(start)
}

// eventually waits, as it is told, until the server takes the request.
func (c *stormClient) eventually(t *testing.T, status int, method, url string) {
	t.Helper()
	for {
		response, err := c.do(t.Context(), method, url, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == status {
			return
		}
		var seconds int
		if _, err := fmt.Sscan(response.Header.Get("Retry-After"), &seconds); err != nil {
			t.Fatalf("%s answers %s and does not say until when", url, response.Status)
		}
		<-time.After(time.Duration(seconds) * time.Second)
	}
}

// flood sends what the endpoints take and what they do not, as fast as it gets
// answers, and ends by itself.
func (c *stormClient) flood(ctx context.Context) {
	verdicts := `{"verdicts":[` + strings.Repeat(`{"url":"https://flood.example/","action":"block","reason":"`+strings.Repeat("r", 500)+`"},`, 199) + `{}]}`
	reports := `{"page":[` + strings.Repeat(`{"kind":"console","level":"log","text":"`+strings.Repeat("c", 500)+`"},`, 199) + `{"kind":"console"}]}`
	hashes := `[` + strings.Repeat(`"`+strings.Repeat("0", 64)+`",`, 5_000) + `""]`
	for i := 0; i < 100 && ctx.Err() == nil; i++ {
		for _, blow := range []struct{ url, body string }{
			{c.URL + "/.bellglass/verdicts", verdicts}, {c.reports, reports}, {c.URL + "/.bellglass/pack", hashes},
			{c.URL + "/.bellglass/verdicts", strings.Repeat("\xff\x00{", 500_000)}, {c.reports, `{"page":[` + strings.Repeat("{},", 500_000)},
			{c.URL + "/.bellglass/verdicts", strings.Repeat("[", 1<<20)}, {c.URL + "/no/such/path", verdicts},
		} {
			response, err := c.do(ctx, "POST", blow.url, nil, strings.NewReader(blow.body))
			if err != nil {
				continue // the server need not read to the end what it refuses
			}
			response.Body.Close()
			if response.StatusCode < 300 {
				c.taken.Add(1)
			} else {
				c.refused.Add(1)
			}
		}
	}
}

// hold opens hundreds of connections that take no part: streams that nobody
// reads, headers and bodies that do not end, and silence. It holds them until
// the storm is over.
func (c *stormClient) hold(ctx context.Context) {
	host := func(url string) (string, string) {
		name, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		return name, "/" + path
	}
	outer, events := host(c.events)
	inner, verdicts := host(c.URL + "/.bellglass/verdicts")
	stream := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Site: same-origin\r\n\r\n", events, outer)
	half := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Dest: empty\r\nBellglass-Secret: %s\r\n", verdicts, inner, c.secret)
	var all []net.Conn
	defer func() {
		for _, conn := range all {
			conn.Close()
		}
	}()
	for i := 0; i < 2_000 && ctx.Err() == nil; i++ {
		conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", c.port))
		if err != nil {
			continue
		}
		all = append(all, conn)
		// A stream for every other one, and one of the rest.
		text := []string{stream, half, stream, half + "Content-Length: 1000000\r\n\r\n{", stream, ""}[i%6]
		if _, err := io.WriteString(conn, text); err != nil {
			continue
		}
		c.held.Add(1)
		if text != stream {
			continue
		}
		if status, err := bufio.NewReaderSize(conn, 16).ReadString('\n'); err == nil && strings.Contains(status, "200") {
			c.streams.Add(1)
		} else {
			c.refused.Add(1)
		}
	}
	<-ctx.Done()
}

// wantBoundedLog reads the sandbox's events, once there is a stream to be had.
func (c *stormClient) wantBoundedLog(t *testing.T) {
	t.Helper()
	c.eventually(t, 200, "GET", c.events)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	response, err := c.do(ctx, "GET", c.events, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	// Its history comes at once, and ends with the newest event, whose number
	// says how many there have been.
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	first, n, dropped := 0, 0, false
	for lines.Scan() {
		var id int
		if _, err := fmt.Sscanf(lines.Text(), "id: %d", &id); err == nil {
			if first == 0 {
				first = id
			}
			n++
		}
		dropped = dropped || strings.Contains(lines.Text(), `"step":"dropped"`)
		if dropped && n >= 1000 {
			break
		}
	}
	if first < 2 || !dropped {
		t.Errorf("the log of the storm begins with event %d, has %d, and says of dropped ones: %v", first, n, dropped)
	}
}
