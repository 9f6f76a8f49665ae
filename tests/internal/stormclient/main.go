// Command stormclient plays clients that are not browsers in the storm. It is a
// separate process, so that it can have a lower priority than the clients that must be
// served. It reads its targets from standard input, as a line of JSON. It prints its
// counts once the storm has begun, continues until standard input ends, and prints its
// counts again. If the storm does not begin, it prints the reason on standard error.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A client has a sandbox's secret and token.
type client struct {
	Port                 int
	URL, Events, Reports string // addresses
	Secret               string

	counts  counts
	refused chan struct{} // closed after enough refusals
	failure atomic.Value  // text of the last request without an answer
}

// counts are numbers of requests (accepted, refused, failed without an answer) and of
// connections (opened streams, all held ones).
type counts struct{ Taken, Refused, Failed, Streams, Held int64 }

// A size says how much to send, and how long to wait for a server that does not answer.
type size struct {
	rounds, connections int
	patience            time.Duration
}

// whole is the full storm. Its patience is far longer than the first refusals take.
var whole = size{100, 2_000, 4 * time.Minute}

func main() {
	if err := run(os.Stdin, json.NewEncoder(os.Stdout), whole); err != nil {
		fmt.Fprintln(os.Stderr, "the storm's clients:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out *json.Encoder, size size) error {
	lines := bufio.NewReader(in)
	first, err := lines.ReadBytes('\n')
	if err != nil {
		return err
	}
	c := &client{refused: make(chan struct{})}
	if err := json.Unmarshal(first, c); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wind sync.WaitGroup
	wind.Go(func() { c.flood(ctx, size.rounds) })
	wind.Go(func() { c.hold(ctx, size.connections) })
	defer wind.Wait()
	defer cancel()
	if err := c.begun(&wind, size.patience); err != nil {
		return err
	}
	if err := out.Encode(c.sofar()); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		return err
	}
	cancel()
	wind.Wait()
	return out.Encode(c.sofar())
}

// begun waits until enough requests are refused. It also returns once everything has
// been sent, or fails if that takes too long.
func (c *client) begun(wind *sync.WaitGroup, patience time.Duration) error {
	sent := make(chan struct{})
	go func() {
		wind.Wait()
		close(sent)
	}()
	after := "all was sent"
	select {
	case <-c.refused:
	case <-sent:
	case <-time.After(patience):
		after = patience.String()
	}
	got := c.sofar()
	if got.Refused >= enough {
		return nil
	}
	last, _ := c.failure.Load().(string)
	return fmt.Errorf("waited for %d refusals by the server at port %d, and after %s it had refused %d requests, taken %d and not answered %d (the last of them: %q), and opened %d streams on %d connections; see whether it runs, what it logs, and what server.Limits says of verdicts, reports, requests and streams",
		enough, c.Port, after, got.Refused, got.Taken, got.Failed, last, got.Streams, got.Held)
}

func (c *client) sofar() counts {
	return counts{
		atomic.LoadInt64(&c.counts.Taken), atomic.LoadInt64(&c.counts.Refused), atomic.LoadInt64(&c.counts.Failed),
		atomic.LoadInt64(&c.counts.Streams), atomic.LoadInt64(&c.counts.Held),
	}
}

// enough is the number of refusals that show that the storm has begun.
const enough = 100

func (c *client) refuse() {
	if atomic.AddInt64(&c.counts.Refused, 1) == enough {
		close(c.refused)
	}
}

// do sends a request to the loopback address, where the host's name need not resolve.
func (c *client) do(ctx context.Context, method, url, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Sec-Fetch-Dest": {"empty"}, "Sec-Fetch-Site": {"same-origin"}, "Bellglass-Secret": {c.Secret}}
	r.Host, r.URL.Host = r.URL.Host, fmt.Sprintf("127.0.0.1:%d", c.Port)
	return http.DefaultClient.Do(r)
}

// flood sends requests that the endpoints accept and others that they refuse, as fast
// as they are answered, and then ends.
func (c *client) flood(ctx context.Context, rounds int) {
	verdicts := `{"verdicts":[` + strings.Repeat(`{"url":"https://flood.example/","action":"block","reason":"`+strings.Repeat("r", 500)+`"},`, 199) + `{}]}`
	reports := `{"page":[` + strings.Repeat(`{"kind":"console","level":"log","text":"`+strings.Repeat("c", 500)+`"},`, 199) + `{"kind":"console"}]}`
	for i := 0; i < rounds && ctx.Err() == nil; i++ {
		for _, blow := range []struct{ url, body string }{
			{c.URL + "/.bellglass/verdicts", verdicts}, {c.Reports, reports}, {c.URL + "/.bellglass/state?have=0", ""},
			{c.URL + "/.bellglass/verdicts", strings.Repeat("\xff\x00{", 500_000)}, {c.Reports, `{"page":[` + strings.Repeat("{},", 500_000)},
			{c.URL + "/.bellglass/verdicts", strings.Repeat("[", 1<<20)}, {c.URL + "/no/such/path", verdicts},
		} {
			method := http.MethodPost
			if blow.body == "" {
				method = http.MethodGet
			}
			response, err := c.do(ctx, method, blow.url, blow.body)
			if err != nil {
				// The server need not read a refused request to its end.
				atomic.AddInt64(&c.counts.Failed, 1)
				c.failure.Store(err.Error())
				continue
			}
			response.Body.Close()
			if response.StatusCode < 300 {
				atomic.AddInt64(&c.counts.Taken, 1)
			} else {
				c.refuse()
			}
		}
	}
}

// hold opens connections that make no progress: streams that nobody reads, headers and
// bodies that do not end, and silent ones. They stay open until the storm is over.
func (c *client) hold(ctx context.Context, connections int) {
	host := func(url string) (string, string) {
		name, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		return name, "/" + path
	}
	outer, events := host(c.Events)
	inner, verdicts := host(c.URL + "/.bellglass/verdicts")
	stream := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Site: same-origin\r\n\r\n", events, outer)
	half := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Dest: empty\r\nBellglass-Secret: %s\r\n", verdicts, inner, c.Secret)
	var dialer net.Dialer
	for i := 0; i < connections && ctx.Err() == nil; i++ {
		conn, err := dialer.DialContext(ctx, "tcp4", fmt.Sprintf("127.0.0.1:%d", c.Port))
		if err != nil {
			continue
		}
		context.AfterFunc(ctx, func() { conn.Close() })
		// Every other connection is a stream, the rest are one of each kind.
		text := []string{stream, half, stream, half + "Content-Length: 1000000\r\n\r\n{", stream, ""}[i%6]
		if _, err := io.WriteString(conn, text); err != nil {
			continue
		}
		atomic.AddInt64(&c.counts.Held, 1)
		if text != stream {
			continue
		}
		if status, err := bufio.NewReaderSize(conn, 16).ReadString('\n'); err == nil && strings.Contains(status, "200") {
			atomic.AddInt64(&c.counts.Streams, 1)
		} else if ctx.Err() == nil {
			c.refuse()
		}
	}
}
