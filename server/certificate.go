package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// A Certificate is a TLS certificate with its key, in two PEM files. It reloads them when they
// change, because programs that renew certificates do not notify the server.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu    sync.Mutex
	files [2]fileVersion
	pair  *tls.Certificate
	told  string // the last error that was logged
}

// A fileVersion changes when a file is written.
type fileVersion struct {
	modified time.Time
	size     int64
}

// LoadCertificate reads the files. If a later reload fails, the previous certificate stays in
// use, and log gets a warning.
func LoadCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	files, err := c.version()
	if err != nil {
		return nil, err
	}
	c.files = files
	c.pair, err = c.load()
	return c, err
}

func (c *Certificate) version() (files [2]fileVersion, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return files, fmt.Errorf("the TLS certificate cannot be read: %w", err)
		}
		files[i] = fileVersion{info.ModTime(), info.Size()}
	}
	return files, nil
}

func (c *Certificate) load() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return nil, fmt.Errorf("the TLS certificate in %s with the key in %s cannot be used: %w", c.certFile, c.keyFile, err)
	}
	return &pair, nil
}

// get is a [tls.Config.GetCertificate]. It checks the files for each handshake. That takes a
// few microseconds of the millisecond that a handshake takes.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	files, err := c.version()
	if err == nil && files == c.files {
		return c.pair, nil
	}
	var pair *tls.Certificate
	if err == nil {
		// A pair that does not match may be half written. The next change of a file triggers
		// another try.
		c.files = files
		pair, err = c.load()
	}
	if err != nil {
		// If the files are missing, every handshake fails, and anybody can start one. So each
		// error is logged once.
		if c.told != err.Error() {
			c.told = err.Error()
			c.log.Warn("the TLS certificate could not be reloaded; the previous one stays in use", "error", err)
		}
		return c.pair, nil
	}
	c.pair, c.told = pair, ""
	c.log.Info("the TLS certificate was read again", "expires", pair.Leaf.NotAfter)
	return c.pair, nil
}

// Check returns what browsers would object to in the certificate of a server with these
// origins: that it has expired, or which host names it does not cover. It does not know which
// authorities a browser trusts.
func (c *Certificate) Check(origins Origins, now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := CheckLeaf(c.pair.Leaf, now, origins.Page, origins.Outer, origins.Inner); err != nil {
		return fmt.Errorf("the TLS certificate in %s %w", c.certFile, err)
	}
	return nil
}

// CheckLeaf returns what browsers would object to in a server's certificate: that it has
// expired, or which names it does not cover. The origins have the form of those in [Origins].
// The error text continues a sentence about the certificate. CheckLeaf does not check who has
// signed it.
func CheckLeaf(leaf *x509.Certificate, now time.Time, origins ...string) error {
	if now.After(leaf.NotAfter) {
		return fmt.Errorf("has expired on %s; renew it", leaf.NotAfter.Format(time.DateOnly))
	}
	if now.Before(leaf.NotBefore) {
		return fmt.Errorf("is valid only from %s on; is this machine's clock right?", leaf.NotBefore.Format(time.RFC3339))
	}
	var missing []string
	prefixed := false
	for _, origin := range origins {
		host := hostOf(origin)
		if label, _, _ := strings.Cut(host, "."); label != "{id}" && strings.Contains(label, "{id}") {
			prefixed = true
		}
		if leaf.VerifyHostname(strings.Replace(host, "{id}", strings.Repeat("a", idLength), 1)) != nil {
			missing = append(missing, strings.Replace(host, "{id}", "*", 1))
		}
	}
	if missing == nil {
		return nil
	}
	text := fmt.Sprintf("is not for %s, but for %s; get one for the three names of the server, the sandboxes' by a wildcard", strings.Join(missing, " and "), strings.Join(leaf.DNSNames, " "))
	if prefixed {
		text += ". A wildcard stands for a whole label: the template's first label has to be {id} alone"
	}
	return fmt.Errorf("%s", text)
}

// hostOf returns the host name of an origin.
func hostOf(origin string) string {
	_, authority, _ := strings.Cut(origin, "://")
	host, _, _ := strings.Cut(authority, ":")
	return host
}

// TLS makes the listeners speak TLS, with HTTP/2 and HTTP/1.1. Use it if [Config.PublicURL]
// has https and no proxy terminates TLS.
func (l *Listeners) TLS(certificate *Certificate) {
	config := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: certificate.get,
	}
	for i, each := range l.list {
		l.list[i] = tls.NewListener(each, config)
	}
	l.secure = true
}
