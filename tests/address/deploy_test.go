// Package address serves the product over HTTPS, at host names of its own: directly, behind
// nginx, and behind Caddy, configured as docs/deploy.md shows.
//
// Chromium and Firefox resolve the three names as the test says, and trust the test's own
// authority. WebKitGTK resolves names only through the system. So it gets names below
// localhost, and accepts any certificate.
package address

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/firefox"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/proxies"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }

var authority = sync.OnceValues(testca.New)

func ca(t testing.TB) *testca.Authority {
	t.Helper()
	a, err := authority()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// These browsers resolve names below test to this machine.
var (
	chromium = glass.Shared(func() (*browser.Browser, error) {
		a, err := authority()
		if err != nil {
			return nil, err
		}
		return browser.LaunchTrusting(a.PEM(), "--host-resolver-rules=MAP *.test 127.0.0.1")
	})
	firefoxESR = glass.Shared(func() (*firefox.Browser, error) {
		a, err := authority()
		if err != nil {
			return nil, err
		}
		return firefox.Launch(context.Background(), firefox.Options{
			Preferences: map[string]any{"network.dns.forceResolve": "127.0.0.1"}, Authority: a.PEM(),
		})
	})
)

// names are the host names of a deployment.
type names struct{ page, outer, inner string }

var (
	ofItsOwn = names{"app.host.test", "sandbox.usercontent.test", "{id}.usercontent.test"}
	local    = names{"localhost", "sandbox.localhost", "{id}.sandbox.localhost"}
)

// fronts are the programs that end TLS. Behind a proxy the server listens without TLS.
var fronts = map[string]func(t testing.TB, d proxies.Deployment){
	"itself": nil,
	"nginx":  func(t testing.TB, d proxies.Deployment) { proxies.Nginx(t, d) },
	"Caddy":  func(t testing.TB, d proxies.Deployment) { proxies.Caddy(t, d) },
}

// deploy serves until the test ends, and returns the server and the deployment in front of it.
func deploy(t testing.TB, front func(testing.TB, proxies.Deployment), n names, adjust ...func(*server.Config)) (*glass.Server, proxies.Deployment) {
	t.Helper()
	wildcard := "*" + n.inner[len("{id}"):]
	cert, key, err := ca(t).Issue(t.TempDir(), time.Now().Add(time.Hour), n.page, n.outer, wildcard)
	if err != nil {
		t.Fatal(err)
	}
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := proxies.Deployment{Host: n.page, Outer: n.outer, Inner: wildcard, Cert: cert, Key: key, Port: listeners.Port(), Server: listeners.Port()}
	if front == nil {
		certificate, err := server.LoadCertificate(cert, key, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		listeners.TLS(certificate)
	} else {
		d.Port = freePort(t)
		front(t, d)
	}
	adjust = append([]func(*server.Config){func(c *server.Config) {
		c.PublicURL, c.OuterHost, c.InnerHost = fmt.Sprintf("https://%s:%d", n.page, d.Port), n.outer, n.inner
	}}, adjust...)
	return glass.StartOn(t, listeners, adjust...), d
}

// taken are the ports that freePort has returned. One of them may be free because nobody is to listen
// there.
var taken sync.Map

// freePort returns a port below 32768, the first port that the system may choose for port 0. It
// returns each port once.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 20_000 + rand.IntN(10_000)
		if _, is := taken.LoadOrStore(port, true); is {
			continue
		}
		if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("of 100 ports none is free")
	return 0
}

func tomorrow() time.Time { return time.Now().Add(24 * time.Hour) }
