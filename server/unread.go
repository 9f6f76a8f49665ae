package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellglass/bellglass/firewall"
)

// net/http answers a request that it cannot read (a path with a bare %, a header
// that is too long) itself: before any handler runs, and so without a policy.
// Page code can make its browser send such a request, in a frame of its own
// origin, and a document of that origin without a policy is a way out: the page
// reaches into it, and nothing binds what it does from there. So whatever is
// written to a connection outside of a handler is replaced by an answer of ours.

// unreadable is what is sent instead of each answer that net/http makes itself.
// The status is always 400: what net/http would have said is not looked at. On the
// sandboxes' hosts it takes away their cookies, which may be what made the headers
// too long: without that the next request would be refused as well, and the one
// after it. Nothing else is cleared, so no sandbox loses its storage.
func unreadable(clearCookies bool) []byte {
	return refusalWithoutRequest("The request could not be read: it is malformed, or its headers are too long.\n\nBellglass: unreadable-request\n", clearCookies)
}

// plainOnTLS is sent to a client that speaks HTTP where TLS is spoken.
func plainOnTLS() []byte {
	return refusalWithoutRequest("This port speaks HTTPS, and the request came over HTTP. Open the address that begins with https.\n\nBellglass: http-on-https\n", false)
}

func refusalWithoutRequest(body string, clearCookies bool) []byte {
	header := (&firewall.Firewall{}).Headers(firewall.Refusal, firewall.Site{})
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Content-Length", fmt.Sprint(len(body)))
	header.Set("Connection", "close")
	if clearCookies {
		header.Set(clearSiteData, onlyCookies)
	}
	var lines []string
	for name := range header {
		lines = append(lines, name+": "+header.Get(name)+"\r\n")
	}
	slices.Sort(lines)
	return []byte("HTTP/1.1 400 Bad Request\r\n" + strings.Join(lines, "") + "\r\n" + body)
}

// Guard makes h answer with policies also where net/http answers itself, and
// returns the listeners to serve on. If you mount the server in your own
// [http.Server], call it once, before serving; [Server.Serve] does. It sets
// MaxHeaderBytes and Protocols, see header.go and frames.go. For TLS, give it listeners of
// [tls.NewListener], and call Serve, not ServeTLS: it has to see what is in the TLS.
// A reverse proxy in front answers what it cannot read itself, and has to put the
// policies on that; see docs/deploy.md.
func (s *Server) Guard(h *http.Server, listeners ...net.Listener) []net.Listener {
	handler, connContext, connState := h.Handler, h.ConnContext, h.ConnState
	h.MaxHeaderBytes = maxHeaderList // of HTTP/2; a guardedConn bounds those of HTTP/1
	h.Protocols = new(http.Protocols)
	h.Protocols.SetHTTP1(true)
	h.Protocols.SetUnencryptedHTTP2(true) // what is in the TLS
	h.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*guardedConn); ok {
			c.handle(true)
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
			g.handle(false)
		}
		if connState != nil {
			connState(c, state)
		}
	}
	// "OPTIONS *" would be answered without the handler, too.
	h.DisableGeneralOptionsHandler = true
	guarded := make([]net.Listener, 0, len(listeners))
	for _, l := range listeners {
		guarded = append(guarded, guardedListener{l, s})
	}
	return guarded
}

type connKey struct{}

type guardedListener struct {
	net.Listener
	server *Server
}

func (l guardedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &guardedConn{Conn: c, header: header{budget: &l.server.headers}, server: l.server}, nil
}

// A guardedConn knows whether a handler is answering on it.
type guardedConn struct {
	net.Conn
	server  *Server
	refused bool     // used by the one goroutine that writes when no handler does
	raw     net.Conn // what is below the TLS, if a client has sent HTTP without it

	// net/http reads ahead while a handler runs, in a goroutine of its own.
	mu       sync.Mutex
	handling bool
	header   header  // of the request that is being read
	frames   *frames // nil for HTTP/1
}

// handle notes that a handler begins, or that the last one has answered.
func (c *guardedConn) handle(handling bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handling = handling
	c.header.reset()
}

func (c *guardedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if wrong := (tls.RecordHeaderError{}); errors.As(err, &wrong) {
		c.raw = wrong.Conn
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frames != nil {
		if err := c.follow(b[:n]); err != nil {
			return 0, err
		}
		return n, err
	}
	if c.handling {
		return n, err
	}
	if !c.header.take(b[:n]) || c.header.size > maxHeader+headerSlop {
		return 0, errHeaders
	}
	// Browsers speak HTTP/2 only in TLS. Without it, what net/http answers is replaced.
	if after, is := startsFrames(c.header.head); is && c.isTLS() {
		c.header.reset()
		c.frames = &frames{}
		if err := c.follow(after); err != nil {
			return 0, err
		}
	}
	return n, err
}

func (c *guardedConn) isTLS() bool {
	_, is := c.Conn.(*tls.Conn)
	return is
}

// follow measures the headers in what was read over HTTP/2.
func (c *guardedConn) follow(b []byte) error {
	if err := c.frames.read(b); err != nil {
		return err
	}
	if c.frames.header == 0 {
		c.header.reset()
	} else if !c.header.grow(c.frames.header) {
		return errHeaders
	}
	return nil
}

func (c *guardedConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	handling, host, long, ended := c.handling || c.frames != nil, c.header.host(), c.header.size > freeHeader, c.header.ended
	c.mu.Unlock()
	if handling {
		return c.Conn.Write(b)
	}
	if c.raw != nil {
		if !c.refused {
			c.refused = true
			if _, err := c.raw.Write(plainOnTLS()); err != nil {
				return 0, err
			}
		}
		return len(b), nil
	}
	// An answer of net/http's own may come in parts. It closes the connection after it.
	if !c.refused {
		c.refused = true
		c.handle(false) // nothing of the header is kept
		if _, err := c.Conn.Write(unreadable(c.server.clears(c.server.config.placeOf(host)))); err != nil {
			return 0, err
		}
		if long && !ended {
			c.drain()
		}
	}
	return len(b), nil
}

// drain takes what is left of a long header. A client that is still sending would
// otherwise meet a reset connection, and never read the answer that cures it.
func (c *guardedConn) drain() {
	if err := c.CloseWrite(); err != nil {
		return
	}
	if err := c.SetReadDeadline(time.Now().Add(drainTime)); err != nil {
		return
	}
	step := make([]byte, 64<<10)
	var end headerEnd
	for left := drainBytes; left > 0; {
		n, err := c.Conn.Read(step)
		if left -= n; err != nil || end.find(step[:n]) {
			return
		}
	}
}

func (c *guardedConn) Close() error {
	c.mu.Lock()
	c.header.reset()
	c.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets net/http end its side first, so that a client which is still
// sending reads the answer before the connection is reset.
func (c *guardedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
