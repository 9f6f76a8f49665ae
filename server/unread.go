package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bellglass/bellglass/firewall"
)

// net/http answers a request that it cannot read (a path with a bare %, a header
// that is too long) itself: before any handler runs, and so without a policy.
// Page code can make its browser send such a request, in a frame of its own
// origin, and a document of that origin without a policy is a way out: the page
// reaches into it, and nothing binds what it does from there. So whatever is
// written to a connection outside of a handler is replaced by an answer of ours.

// unreadable is what is sent instead of each answer that net/http makes itself.
// The status is always 400: what net/http would have said is not looked at.
var unreadable = func() []byte {
	const body = "The request could not be read: it is malformed, or its headers are too long.\n\nBellglass: unreadable-request\n"
	header := (&firewall.Firewall{}).Headers(firewall.Refusal, firewall.Site{})
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Content-Length", fmt.Sprint(len(body)))
	header.Set("Connection", "close")
	var lines []string
	for name := range header {
		lines = append(lines, name+": "+header.Get(name)+"\r\n")
	}
	slices.Sort(lines)
	return []byte("HTTP/1.1 400 Bad Request\r\n" + strings.Join(lines, "") + "\r\n" + body)
}()

// Guard makes h answer with policies also where net/http answers itself, and
// returns the listeners to serve on. Who mounts a [Server] in an [http.Server] of
// their own has to call it, once, before serving; [Server.Serve] does. It holds
// for HTTP/1 alone. A reverse proxy in front answers what it cannot read itself,
// and has to put the policies on that.
func Guard(h *http.Server, listeners ...net.Listener) []net.Listener {
	handler, connContext, connState := h.Handler, h.ConnContext, h.ConnState
	h.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*guardedConn); ok {
			c.handling.Store(true)
		}
		handler.ServeHTTP(w, r)
	})
	h.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if connContext != nil {
			ctx = connContext(ctx, c)
		}
		return context.WithValue(ctx, connKey{}, c)
	}
	h.ConnState = func(c net.Conn, state http.ConnState) {
		// The last answer is written out; the next request has not been read.
		if g, ok := c.(*guardedConn); ok && state == http.StateIdle {
			g.handling.Store(false)
		}
		if connState != nil {
			connState(c, state)
		}
	}
	// "OPTIONS *" would be answered without the handler, too.
	h.DisableGeneralOptionsHandler = true
	guarded := make([]net.Listener, 0, len(listeners))
	for _, l := range listeners {
		guarded = append(guarded, guardedListener{l})
	}
	return guarded
}

type connKey struct{}

type guardedListener struct{ net.Listener }

func (l guardedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &guardedConn{Conn: c}, nil
}

// A guardedConn knows whether a handler is answering on it.
type guardedConn struct {
	net.Conn
	handling atomic.Bool
	refused  bool // used by the one goroutine that writes when no handler does
}

func (c *guardedConn) Write(b []byte) (int, error) {
	if c.handling.Load() {
		return c.Conn.Write(b)
	}
	// An answer of net/http's own may come in parts. It closes the connection after it.
	if !c.refused {
		c.refused = true
		if _, err := c.Conn.Write(unreadable); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// CloseWrite lets net/http end its side first, so that a client which is still
// sending reads the answer before the connection is reset.
func (c *guardedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
