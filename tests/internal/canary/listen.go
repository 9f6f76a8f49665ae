package canary

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"sync"
)

// listenLoopback listens on 127.0.0.1 and, where there is one, on [::1], on the same port.
func listenLoopback() ([]net.Listener, error) {
	probe, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		v4, err := net.Listen("tcp4", "127.0.0.1:0")
		return []net.Listener{v4}, err
	}
	probe.Close()
	// A port that is free on one address may be in use on the other.
	var taken []error
	for range 20 {
		v4, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		port := strconv.Itoa(v4.Addr().(*net.TCPAddr).Port)
		v6, err := net.Listen("tcp6", net.JoinHostPort("::1", port))
		if err == nil {
			return []net.Listener{v4, v6}, nil
		}
		taken = append(taken, err, v4.Close())
	}
	return nil, errors.Join(taken...)
}

// TCP opens a port for one token and returns its address. It records each connection,
// and speaks HTTP and WebSocket as the shared port does. Everything that arrives has
// this token, whatever its path.
func (c *Canary) TCP(token string) (addr string) {
	c.t.Helper()
	c.mu.Lock()
	addr = c.tcp[token]
	c.mu.Unlock()
	if addr != "" {
		return addr
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		c.t.Fatalf("canary: %v", err)
	}
	addr = l.Addr().String()
	c.mu.Lock()
	c.tcp[token] = addr
	c.mu.Unlock()
	c.serve(&listener{Listener: l, c: c, token: token})
	return addr
}

func (c *Canary) serve(l *listener) {
	c.mu.Lock()
	c.listeners = append(c.listeners, l)
	c.mu.Unlock()
	c.wg.Go(func() { c.server.Serve(l) })
}

// A listener records each connection before the HTTP server gets it.
type listener struct {
	net.Listener
	c       *Canary
	token   string
	tokenAt func(local net.Addr) string // replaces token if each address has its own
	tls     *tls.Config                 // if nil, TLS is treated like any other bytes
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.c.isMarker(accepted) {
			accepted.Close()
			continue
		}
		token := l.token
		if l.tokenAt != nil {
			token = l.tokenAt(accepted.LocalAddr())
		}
		return l.c.newConn(accepted, token, l.tls), nil
	}
}

// A conn keeps the first bytes of a connection, and stays open until it has been read
// to its end.
type conn struct {
	net.Conn
	c     *Canary
	n     int
	token string
	hit   *Hit
	done  sync.Once

	// For a listener that speaks TLS: the first read sets stream, which all further
	// reads and writes use.
	config *tls.Config
	begin  sync.Once
	stream net.Conn
	secure bool
}

func (c *Canary) newConn(accepted net.Conn, token string, config *tls.Config) *conn {
	c.mu.Lock()
	c.conns++
	cn := &conn{c: c, n: c.conns, token: token, config: config}
	cn.Conn = &recorder{accepted, cn}
	cn.stream = cn.Conn
	c.open[cn.n] = cn
	c.mu.Unlock()
	cn.hit = c.record(Hit{Kind: "tcp", Token: token, Conn: cn.n})
	return cn
}

// A recorder is the connection itself, below TLS.
type recorder struct {
	net.Conn
	cn *conn
}

func (r *recorder) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	if n > 0 {
		r.cn.c.appendBody(r.cn.hit, b[:n])
	}
	return n, err
}

func (cn *conn) Read(b []byte) (int, error) {
	if cn.config != nil {
		cn.begin.Do(cn.greet)
	}
	return cn.stream.Read(b)
}

func (cn *conn) Write(b []byte) (int, error) { return cn.stream.Write(b) }

// Close is called after the connection has been read to its end.
func (cn *conn) Close() error {
	cn.done.Do(func() {
		cn.c.mu.Lock()
		defer cn.c.mu.Unlock()
		delete(cn.c.open, cn.n)
		cn.c.announceLocked()
	})
	return cn.Conn.Close()
}

type connKey struct{}

func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc.(*conn))
}
