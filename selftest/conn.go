package selftest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"
)

// A trapListener records each connection before the HTTP server gets it.
type trapListener struct {
	net.Listener
	trap *trap
	tls  *tls.Config
}

func (l *trapListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, stream: accepted, trap: l.trap, tls: l.tls}
	l.trap.mu.Lock()
	defer l.trap.mu.Unlock()
	l.trap.pending[c] = true
	return c, nil
}

// A conn is a connection that carries nothing, bytes, a request, or TLS followed by a request.
// The first byte decides. It is read at the first Read instead of at Accept, because a silent
// client must not keep others waiting.
type conn struct {
	net.Conn
	trap   *trap
	tls    *tls.Config
	begin  sync.Once
	stream net.Conn
	ended  sync.Once
}

func (c *conn) Read(b []byte) (int, error) {
	c.begin.Do(c.greet)
	return c.stream.Read(b)
}

func (c *conn) Write(b []byte) (int, error) { return c.stream.Write(b) }

// Close records a connection that named nothing for nobody.
func (c *conn) Close() error {
	c.settle("", seenConn, "")
	return c.Conn.Close()
}

// settle records what the connection was. Only the first call has an effect.
func (c *conn) settle(token, letter, first string) {
	c.ended.Do(func() {
		c.trap.mu.Lock()
		delete(c.trap.pending, c)
		c.trap.mu.Unlock()
		c.trap.note(token, letter, first)
	})
}

// tlsHandshake is the first byte of a TLS connection (RFC 8446, section 5.1). No HTTP request
// begins with it.
const tlsHandshake = 0x16

func (c *conn) greet() {
	first := make([]byte, 1)
	n, err := c.Conn.Read(first)
	rest := &begun{c.Conn, first[:n], err}
	c.stream = rest
	if n == 1 && first[0] == tlsHandshake {
		config := c.tls.Clone()
		config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			c.settle(tokenOf(hello.ServerName), seenTLS, "")
			return nil, nil
		}
		c.stream = tls.Server(rest, config)
	}
}

// A begun connection returns the byte that was already read, and then the rest.
type begun struct {
	net.Conn
	first []byte
	err   error
}

func (b *begun) Read(p []byte) (int, error) {
	switch {
	case len(b.first) > 0:
		n := copy(p, b.first)
		b.first = b.first[n:]
		return n, nil
	case b.err != nil:
		return 0, b.err
	}
	return b.Conn.Read(p)
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// newServer limits what a client can use up, because there are many of these servers.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 30 * time.Second,
		MaxHeaderBytes:    64 << 10,
		// Input that is not HTTP is expected here.
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

func (t *trap) tlsConfig(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{*certificate}, NextProtos: []string{"http/1.1"}}
}

// selfSigned makes a certificate that no browser trusts. A handshake gets as far as its first
// message, which contains the name.
func selfSigned() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
