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

// A Hit is one thing that arrived.
type Hit struct {
	// Kind is "http", "websocket", "udp", "tcp" or "dns". Every connection is a tcp
	// hit, whether or not an http or websocket hit follows on it.
	Kind  string
	Token string
	// Conn numbers the connection, to tell which hits came over the same one; 0 for udp.
	Conn int
	// Secure says that it came by TLS; only [Canary.Anywhere] speaks that.
	Secure bool
	Method string
	Host   string // as the request names it, with a port that is not the scheme's own; for dns the name
	Path   string // with the query, just as it came
	Header http.Header
	// Body holds the first 64 KiB of the request's body or the datagram, and
	// for tcp the connection's first bytes as they came. It grows while they
	// arrive; it is complete when the sender has its answer, or after Quiesce.
	Body []byte
	Time time.Time
}

// maxBody bounds Hit.Body.
const maxBody = 64 << 10

// A Canary is a running server. Its methods may be called from any goroutine.
type Canary struct {
	t      testing.TB
	port   int
	server *http.Server
	wg     sync.WaitGroup

	// accepting is held while a marker connection is made; see quiesce.go.
	accepting sync.Mutex

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced with each change
	hits      []*Hit
	answers   map[string]Answer // by path
	listeners []net.Listener
	tcp       map[string]string         // token → address
	udp       map[string]net.PacketConn // token → socket
	markers   map[string]chan struct{}  // what Quiesce waits to see
	conns     int                       // the number of the newest connection
	open      map[int]*conn
}

// Start opens a canary that lives as long as the test. It listens on 127.0.0.1
// and, where the machine has it, on [::1], on one port.
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
	// WebSockets and answers to them are not the server's to close.
	for _, open := range c.open {
		open.Conn.Close()
	}
	c.mu.Unlock()
	c.wg.Wait()
}

// Port returns the port of the loopback addresses.
func (c *Canary) Port() int { return c.port }

// Hits returns what has arrived for a token, oldest first. The token "" has
// whatever arrived without one: the connections to the shared port, and
// requests for "/".
func (c *Canary) Hits(token string) []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hitsLocked(func(h *Hit) bool { return h.Token == token })
}

// All returns whatever has arrived, oldest first.
func (c *Canary) All() []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hitsLocked(func(*Hit) bool { return true })
}

// Silent returns the connections over which no HTTP came: nothing at all, or
// bytes that are something else. It says whose they are only for [Canary.TCP].
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

// Wait blocks until something has arrived for a token, and returns the first.
func (c *Canary) Wait(ctx context.Context, token string) (Hit, error) {
	hit, err := c.WaitFor(ctx, func(h *Hit) bool { return h.Token == token })
	if err != nil {
		return Hit{}, fmt.Errorf("canary: nothing arrived for %s: %w", token, err)
	}
	return hit, nil
}

// WaitFor blocks until there is a hit that match takes, and returns the first.
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

// record adds a hit and returns it, for its body to be completed under the lock.
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
