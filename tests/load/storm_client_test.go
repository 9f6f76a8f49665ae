package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The clients of the storm that are not browsers.

// A stormClient holds a sandbox's secret and token.
type stormClient struct {
	stormAnswer
	port            int
	secret          string
	events, reports string // addresses

	storm stormCount
}

// A stormCount counts the outcomes of the storm's requests and connections.
type stormCount struct{ Taken, Refused, Streams, Held int64 }

// client reads the secret and the token, as any program can that is not a browser.
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
	c.secret = glass.Between(t, script, `"secret":"`, `"`)
	outer := read(c.OuterURL, http.Header{"Sec-Fetch-Dest": {"iframe"}})
	origin, _, _ := strings.Cut(c.OuterURL, "/"+c.ID)
	c.events = origin + glass.Between(t, outer, `"events":"`, `"`)
	c.reports = origin + glass.Between(t, outer, `"reports":"`, `"`)
	return c
}

// do sends a request to the server on the loopback address, because the system may not resolve
// the host's name.
func (c *stormClient) do(ctx context.Context, method, url string, header http.Header, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Sec-Fetch-Dest": {"empty"}, "Sec-Fetch-Site": {"same-origin"}, "Bellglass-Secret": {c.secret}}
	if url == c.OuterURL {
		r.Header.Set("Sec-Fetch-Dest", "iframe")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Host, r.URL.Host = r.URL.Host, fmt.Sprintf("127.0.0.1:%d", c.port)
	return http.DefaultClient.Do(r)
}

// medians returns how long a request of each client takes, over several kinds of requests. The
// clients take turns, so that all of them meet the same conditions.
func medians(t *testing.T, clients ...*stormClient) []time.Duration {
	t.Helper()
	all := make([][]time.Duration, len(clients))
	for i := range stormAsks {
		for n, c := range clients {
			all[n] = append(all[n], c.took(t, []string{c.URL + "/.bellglass/state", c.OuterURL, c.URL + "/.bellglass/boot"}[i%3]))
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

// eventually retries as the server tells it to, until the server accepts the request.
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

// blow starts the storm's clients as a process of their own, with the lowest priority. They
// run on the same machine here, and their use of it is not the server's fault. The returned
// function ends them and counts.
func (c *stormClient) blow(t *testing.T) (calm func()) {
	t.Helper()
	clients := exec.Command("nice", "-n", "19", command.BuildPackage(t, "tests/internal/stormclient"))
	var stderr bytes.Buffer
	clients.Stderr = &stderr
	in, err := clients.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := clients.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := clients.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, glass.Literal(t, map[string]any{"Port": c.port, "URL": c.URL, "Events": c.events, "Reports": c.reports, "Secret": c.secret})+"\n"); err != nil {
		t.Fatal(err)
	}
	said := json.NewDecoder(out)
	if err := said.Decode(&c.storm); err != nil {
		in.Close()
		t.Fatalf("the storm's clients do not begin: %v, %v\n%s", err, clients.Wait(), &stderr)
	}
	calm = sync.OnceFunc(func() {
		in.Close()
		undecoded := said.Decode(&c.storm)
		if err := errors.Join(undecoded, clients.Wait()); err != nil {
			t.Errorf("the storm's clients do not say what became of it: %v\n%s", err, &stderr)
		}
	})
	t.Cleanup(calm)
	return calm
}

// listen follows the sandbox's events until the test ends. It reports whether an event said
// that some were dropped because there were too many. A later reader may find that event
// dropped, too.
func (c *stormClient) listen(t *testing.T) *atomic.Bool {
	t.Helper()
	response, err := c.do(t.Context(), "GET", c.events, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	told, ended := new(atomic.Bool), make(chan struct{})
	go func() {
		defer close(ended)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"step":"dropped"`) && strings.Contains(lines.Text(), "there were too many at once") {
				told.Store(true)
			}
		}
	}()
	t.Cleanup(func() {
		response.Body.Close()
		<-ended
	})
	return told
}

// wantBoundedLog reads the sandbox's events, once a stream is available.
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
	// Its history comes at once and ends with the newest event, whose number says how many
	// there were.
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
