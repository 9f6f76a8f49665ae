package canary

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"time"
)

// Anywhere opens a port for a browser that maps every name and port to it
// (--host-resolver-rules=MAP * addr), and returns its address. It speaks TLS to clients
// that start with a TLS hello, under an unsigned certificate
// (--ignore-certificate-errors), and plain HTTP to others; both with WebSocket.
// Hit.Secure and Hit.Host say what the page requested.
func (c *Canary) Anywhere() (addr string) {
	c.t.Helper()
	certificate, err := selfSigned()
	if err != nil {
		c.t.Fatalf("canary: making a certificate: %v", err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		c.t.Fatalf("canary: %v", err)
	}
	c.serve(&listener{Listener: l, c: c, tls: &tls.Config{
		Certificates: []tls.Certificate{certificate},
		NextProtos:   []string{"http/1.1"}, // here, a WebSocket is an HTTP/1.1 upgrade
	}})
	return l.Addr().String()
}

// URL returns the requested address of a hit over HTTP or WebSocket.
func (h *Hit) URL() string {
	scheme := "http"
	if h.Kind == "websocket" {
		scheme = "ws"
	}
	if h.Secure {
		scheme += "s"
	}
	return scheme + "://" + h.Host + h.Path
}

func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
		DNSNames:     []string{"canary.test"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// tlsHandshake is the first byte of every TLS connection (RFC 8446, section 5.1), and
// of no HTTP request.
const tlsHandshake = 0x16

// greet reads the first byte and starts TLS if it is a TLS hello. It runs in the first
// read instead of in Accept, because a client that connects and sends nothing must not
// block others.
func (cn *conn) greet() {
	first := make([]byte, 1)
	n, err := cn.Conn.Read(first)
	rest := &begun{cn.Conn, first[:n], err}
	cn.stream = rest
	if n == 1 && first[0] == tlsHandshake {
		cn.secure = true
		cn.stream = tls.Server(rest, cn.config)
	}
}

// A begun connection returns the bytes that were read from it once more.
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
