package canary

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// A Hit is something that arrived.
type Hit struct {
	// Kind is "http", "websocket", "udp", "tcp" or "dns". Every connection is a tcp
	// hit, even if an http or websocket hit follows.
	Kind  string
	Token string
	// Conn is the number of the connection, which hits over the same one share; 0 for
	// udp.
	Conn int
	// Secure means that it arrived over TLS, which only [Canary.Anywhere] supports.
	Secure bool
	Method string
	Host   string // as in the request, with the port unless it is the scheme's default; for dns the name
	Path   string // with the query, unchanged
	Header http.Header
	// Body has the first 64 KiB of the request's body or the datagram, and for tcp the
	// first bytes of the connection. It grows as they arrive. It is complete once the
	// sender has its answer, or after Quiesce.
	Body []byte
	Time time.Time
}

// maxBody limits Hit.Body.
const maxBody = 64 << 10

// A Canary is a running server. Its methods are safe for concurrent use.
type Canary struct {
	t      testing.TB
	port   int
	server *http.Server
	wg     sync.WaitGroup

	// accepting is held while a marker connection is made; see quiesce.go.
	accepting sync.Mutex

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced at each change
	hits      []*Hit
	answers   map[string]Answer // by path
	listeners []net.Listener
	tcp       map[string]string         // token → address
	udp       map[string]net.PacketConn // token → socket
	markers   map[string]chan struct{}  // the markers that Quiesce waits for
	conns     int                       // the number of the newest connection
	open      map[int]*conn
}

// Start starts a canary that runs until the end of the test. It listens on 127.0.0.1
// and, if the machine has it, on [::1], on the same port.
func Start(t testing.TB) *Canary {
	t.Helper()
	c := create(t)
	listeners, err := listenLoopback()
	if err != nil {
		t.Fatalf("canary: %v", err)
	}
	c.port = listeners[0].Addr().(*net.TCPAddr).Port
	for _, l := range listeners {
		c.serve(&listener{Listener: l, c: c})
	}
	t.Cleanup(c.close)
	return c
}

func create(t testing.TB) *Canary {
	c := &Canary{
		t:       t,
		changed: make(chan struct{}),
		answers: map[string]Answer{},
		tcp:     map[string]string{},
		udp:     map[string]net.PacketConn{},
		markers: map[string]chan struct{}{},
		open:    map[int]*conn{},
	}
	c.server = newHTTPServer(c)
	return c
}

func (c *Canary) close() {
	c.server.Close()
	c.mu.Lock()
	for _, socket := range c.udp {
		socket.Close()
	}
	// The HTTP server does not close WebSockets.
	for _, open := range c.open {
		open.Conn.Close()
	}
	c.mu.Unlock()
	c.wg.Wait()
}

// Port returns the port of the loopback addresses.
func (c *Canary) Port() int { return c.port }

// Hits returns what arrived for a token, oldest first. The token "" has what arrived
// without one: connections to the shared port, and requests for "/".
func (c *Canary) Hits(token string) []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hitsLocked(func(h *Hit) bool { return h.Token == token })
}

// All returns everything that arrived, oldest first.
func (c *Canary) All() []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hitsLocked(func(*Hit) bool { return true })
}

// Silent returns the connections without an HTTP request: silent ones, and those with
// other bytes. Only for [Canary.TCP] does it say which token they belong to.
func (c *Canary) Silent() []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	spoke := map[int]bool{}
	for _, h := range c.hits {
		spoke[h.Conn] = spoke[h.Conn] || h.Kind != "tcp"
	}
	return c.hitsLocked(func(h *Hit) bool { return h.Kind == "tcp" && !spoke[h.Conn] })
}

func (c *Canary) hitsLocked(keep func(*Hit) bool) []Hit {
	var hits []Hit
	for _, h := range c.hits {
		if keep(h) {
			hit := *h
			hit.Body = slices.Clone(h.Body)
			hits = append(hits, hit)
		}
	}
	return hits
}

// Wait waits until something has arrived for a token, and returns the first hit.
func (c *Canary) Wait(ctx context.Context, token string) (Hit, error) {
	hit, err := c.WaitFor(ctx, func(h *Hit) bool { return h.Token == token })
	if err != nil {
		return Hit{}, fmt.Errorf("canary: nothing arrived for %s: %w", token, err)
	}
	return hit, nil
}

// WaitFor waits until match returns true for a hit, and returns the first such hit.
func (c *Canary) WaitFor(ctx context.Context, match func(*Hit) bool) (Hit, error) {
	for {
		c.mu.Lock()
		changed := c.changed
		hits := c.hitsLocked(match)
		c.mu.Unlock()
		if len(hits) > 0 {
			return hits[0], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Hit{}, context.Cause(ctx)
		}
	}
}

// record adds a hit and returns it. The caller completes its body under the lock.
func (c *Canary) record(h Hit) *Hit {
	h.Time = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hits = append(c.hits, &h)
	c.announceLocked()
	return &h
}

func (c *Canary) appendBody(h *Hit, b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.Body = append(h.Body, b[:min(len(b), maxBody-len(h.Body))]...)
	c.announceLocked()
}

func (c *Canary) announceLocked() {
	close(c.changed)
	c.changed = make(chan struct{})
}
