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

// Anywhere opens a port for a browser that takes every name and every port to it
// (--host-resolver-rules=MAP * addr), and returns its address. It speaks TLS to
// whoever begins with a TLS hello, under a certificate that nobody signed
// (--ignore-certificate-errors), and plain HTTP to everybody else; WebSocket both
// ways. Hit.Secure and Hit.Host say what the page asked for.
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
		NextProtos:   []string{"http/1.1"}, // A WebSocket is an HTTP/1.1 upgrade here.
	}})
	return l.Addr().String()
}

// URL is the address that the request was made to, for a hit over HTTP or WebSocket.
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

// tlsHandshake is the first byte of a TLS connection (RFC 8446, section 5.1), and
// of no HTTP request.
const tlsHandshake = 0x16

// greet looks at the first byte and begins TLS if that is what it is. It runs in
// the first read and not where the connection is accepted, because somebody who
// connects and says nothing must not keep others waiting.
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

// A begun connection gives what was read of it once more.
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
