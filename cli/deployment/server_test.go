package deployment

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/server"
)

// deployed is a server at public names. It serves TLS itself, and plain HTTP for a
// proxy.
type deployed struct {
	authority   *testca.Authority
	certificate tls.Certificate
	tls, plain  string // addresses
}

var (
	configuration   = server.Config{PublicURL: "https://glass.app.test", OuterHost: "sandbox.host.test", InnerHost: "{id}.sandbox.host.test"}
	deploymentNames = []string{"glass.app.test", "sandbox.host.test", "*.sandbox.host.test"}
)

func deploy(t *testing.T) *deployed {
	t.Helper()
	d := &deployed{authority: made(testca.New())}
	cert, key := d.issue(t, 90*24*time.Hour, deploymentNames...)
	d.certificate = made(tls.LoadX509KeyPair(cert, key))
	listeners, plain := made(server.Listen("127.0.0.1:0")), made(server.Listen("127.0.0.1:0"))
	listeners.TLS(made(server.LoadCertificate(cert, key, slog.New(slog.DiscardHandler))))
	d.tls, d.plain = listeners.All()[0].Addr().String(), plain.All()[0].Addr().String()
	listeners.Add(plain)
	serveUntilEnd(t, configuration, listeners)
	return d
}

func serveUntilEnd(t *testing.T, config server.Config, listeners *server.Listeners) {
	t.Helper()
	srv := made(server.New(config))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func (d *deployed) issue(t *testing.T, left time.Duration, names ...string) (cert, key string) {
	t.Helper()
	cert, key, err := d.authority.Issue(t.TempDir(), time.Now().Add(left), names...)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// front is a proxy at the public address, with a certificate.
func (d *deployed) front(t *testing.T, certificate tls.Certificate, h http.Handler) string {
	t.Helper()
	ts := httptest.NewUnstartedServer(h)
	ts.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	ts.EnableHTTP2 = true
	ts.Config.ErrorLog = log.New(io.Discard, "", 0)
	ts.StartTLS()
	t.Cleanup(ts.Close)
	return ts.Listener.Addr().String()
}

// pass forwards requests to the server with their Host. The functions add faults.
func (d *deployed) pass(rewrite func(*httputil.ProxyRequest), modify func(*http.Response) error) http.Handler {
	target := &url.URL{Scheme: "http", Host: d.plain}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			if rewrite != nil {
				rewrite(r)
			}
		},
		ModifyResponse: modify,
		ErrorLog:       log.New(io.Discard, "", 0),
	}
}

func (d *deployed) proxy(t *testing.T, rewrite func(*httputil.ProxyRequest), modify func(*http.Response) error) string {
	t.Helper()
	return d.front(t, d.certificate, d.pass(rewrite, modify))
}

// made returns a value, or fails the test.
func made[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
