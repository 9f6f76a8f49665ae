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

// If net/http cannot read a request (a path with a bare %, a header that is too long), it
// answers itself, before any handler runs, and so without a policy. Page code can make its
// browser send such a request, in a frame of its own origin. A document of that origin without
// a policy is a way out: the page can script it, and nothing restricts what the document does.
// So bytes that are written to a connection outside of a handler are replaced by our own
// answer.

// unreadable returns what is sent instead of net/http's own answers. The status is always 400,
// because net/http's answer is not examined.
//
// On the sandboxes' hosts the answer deletes the cookies, which may have made the header too
// long. Otherwise all later requests would be refused as well. It clears nothing else, so no
// sandbox loses its storage.
func unreadable(clearCookies bool) []byte {
	return refusalWithoutRequest("The request could not be read: it is malformed, or its headers are too long.\n\nBellglass: unreadable-request\n", clearCookies)
}

// plainOnTLS returns the answer to a client that sends plain HTTP to a TLS port.
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

// Guard makes h answer with policies even where net/http answers itself. It returns the
// listeners to serve on. If you mount the server in your own [http.Server], call Guard once
// before you serve. [Server.Serve] does that itself.
//
// Guard sets MaxHeaderBytes and Protocols; see header.go and frames.go. For TLS, pass it
// listeners of [tls.NewListener] and call Serve, not ServeTLS, because it must see the
// decrypted bytes. A reverse proxy in front itself answers requests that it cannot read, and
// must add the policies to these answers. See docs/deploy.md.
func (s *Server) Guard(h *http.Server, listeners ...net.Listener) []net.Listener {
	handler, connContext, connState := h.Handler, h.ConnContext, h.ConnState
	h.MaxHeaderBytes = maxHeaderList // for HTTP/2; guardedConn bounds the headers of HTTP/1
	h.Protocols = new(http.Protocols)
	h.Protocols.SetHTTP1(true)
	h.Protocols.SetUnencryptedHTTP2(true) // the decrypted bytes of a TLS connection
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
		// The last answer has been written, and the next request has not been read.
		if g, ok := c.(*guardedConn); ok && state == http.StateIdle {
			g.handle(false)
		}
		if connState != nil {
			connState(c, state)
		}
	}
	// net/http would answer "OPTIONS *" without the handler too.
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

// A guardedConn tracks whether a handler is answering on it.
type guardedConn struct {
	net.Conn
	server  *Server
	refused bool     // only used by the goroutine that writes while no handler does
	raw     net.Conn // the connection below the TLS, if a client has sent plain HTTP

	// mu is needed because net/http reads ahead in another goroutine while a handler runs.
	mu       sync.Mutex
	handling bool
	header   header  // of the request that is being read
	frames   *frames // nil for HTTP/1
}

// handle notes that a handler starts, or that the last one has finished.
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
	// Browsers speak HTTP/2 only over TLS. Without TLS, net/http's answers are replaced.
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

// follow measures the headers in bytes that were read over HTTP/2.
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
	// net/http may write its own answer in parts. It closes the connection afterwards.
	if !c.refused {
		c.refused = true
		c.handle(false) // forget the header
		if _, err := c.Conn.Write(unreadable(c.server.clears(c.server.config.kindOf(host)))); err != nil {
			return 0, err
		}
		if long && !ended {
			c.drain()
		}
	}
	return len(b), nil
}

// drain reads the rest of a long header. Otherwise a client that is still sending would get a
// connection reset, and never read the answer that deletes its cookies.
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

// CloseWrite lets net/http close its own side first. So a client that is still sending can
// read the answer before the connection is reset.
func (c *guardedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
