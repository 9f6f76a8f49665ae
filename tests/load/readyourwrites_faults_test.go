package load

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// faults are what may go wrong between a sandbox's worker and its server.
type faults struct {
	hold sync.RWMutex // while it is locked, streams of changes send nothing

	mu      sync.Mutex
	conns   map[net.Conn]bool
	streams int // number of open streams of changes
	changed chan struct{}
}

// startWithFaults starts a server as glass.Start does.
func startWithFaults(t testing.TB) (*glass.Server, *faults) {
	t.Helper()
	f := &faults{conns: map[net.Conn]bool{}, changed: make(chan struct{})}
	listeners := glass.Listen(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	g := glass.New(t, port, func(c *server.Config) { c.Log = glass.Quiet })
	for i, l := range listeners {
		listeners[i] = faultyListener{l, f}
	}
	glass.Serve(t, listeners, f.front(g))
	return g, f
}

func (f *faults) front(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/.bellglass/changes" {
			f.count(+1)
			defer f.count(-1)
			w = heldWriter{w, f}
		}
		next.ServeHTTP(w, r)
	})
}

func (f *faults) count(change int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.streams += change
	close(f.changed)
	f.changed = make(chan struct{})
}

// silent waits until no stream of changes is open.
func (f *faults) silent(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	for {
		f.mu.Lock()
		open, changed := f.streams, f.changed
		f.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("%d streams of changes stay open", open)
		}
	}
}

// cut ends every connection, like a pulled cable.
func (f *faults) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		c.Close()
	}
}

// A heldWriter writes nothing while the streams are held. The streams stay open and send
// nothing.
type heldWriter struct {
	http.ResponseWriter
	faults *faults
}

func (w heldWriter) Write(b []byte) (int, error) {
	w.faults.hold.RLock()
	defer w.faults.hold.RUnlock()
	return w.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (w heldWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type faultyListener struct {
	net.Listener
	faults *faults
}

func (l faultyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.faults.mu.Lock()
	defer l.faults.mu.Unlock()
	l.faults.conns[c] = true
	return faultyConn{c, l.faults}, nil
}

type faultyConn struct {
	net.Conn
	faults *faults
}

func (c faultyConn) Close() error {
	c.faults.mu.Lock()
	delete(c.faults.conns, c.Conn)
	c.faults.mu.Unlock()
	if err := c.Conn.Close(); err != nil {
		return fmt.Errorf("closing: %w", err)
	}
	return nil
}
