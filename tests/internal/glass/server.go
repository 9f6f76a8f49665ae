package glass

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
)

// A Server is a server of the product on a free port of both loopback addresses.
type Server struct {
	*server.Server
	Port int
}

// Start serves until the test ends. adjust may change the configuration.
func Start(t testing.TB, adjust ...func(*server.Config)) *Server {
	t.Helper()
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return StartOn(t, listeners, adjust...)
}

// StartOn is Start with the test's own listeners.
func StartOn(t testing.TB, listeners *server.Listeners, adjust ...func(*server.Config)) *Server {
	t.Helper()
	g := New(t, listeners.Port(), adjust...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return g
}

// StartBehind serves like [Start], with a handler of the test's in front of the server,
// which can change or refuse any answer.
func StartBehind(t testing.TB, front func(http.Handler) http.Handler, adjust ...func(*server.Config)) *Server {
	t.Helper()
	listeners := Listen(t)
	g := New(t, listeners[0].Addr().(*net.TCPAddr).Port, adjust...)
	Serve(t, listeners, front(g))
	return g
}

// New returns a server at the port, which the test serves itself. It is closed when the
// test ends, and logs to the test. If its handlers may outlive the test, log to
// [Quiet].
func New(t testing.TB, port int, adjust ...func(*server.Config)) *Server {
	t.Helper()
	config := server.Config{PublicURL: fmt.Sprintf("http://localhost:%d", port), Log: slog.New(slog.NewTextHandler(testLog{t}, nil))}
	for _, a := range adjust {
		a(&config)
	}
	srv, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close) // its last activity may log to the test
	return &Server{srv, port}
}

// Namings are the two ways to name a sandbox's host. Below the outer frame's name, all
// sandboxes are one site to a browser. Below localhost itself, each is a site of its
// own.
var Namings = []string{"{id}.sandbox.localhost", "{id}.localhost"}

// Named sets a server's naming.
func Named(inner string) func(*server.Config) {
	return func(c *server.Config) { c.InnerHost = inner }
}

// Quiet is for servers that would log thousands of lines, or after the test.
var Quiet = slog.New(slog.DiscardHandler)

// testLog passes the server's log to the test, which prints it on failure.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}
