package glass

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/browser"
)

// Listen opens one free port on both loopback addresses, as the product does, because a
// browser may try either.
func Listen(t testing.TB) []net.Listener {
	t.Helper()
	const draws = 20
	for draw := 1; ; draw++ {
		v4, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		v6, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", v4.Addr().(*net.TCPAddr).Port))
		switch {
		case err == nil:
			return []net.Listener{v4, v6}
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
			return []net.Listener{v4} // no IPv6 here, so no other program listens there either
		}
		v4.Close()
		if draw == draws {
			t.Fatal(err)
		}
	}
}

// Serve serves on the listeners until the test ends. Then it waits for the handlers,
// which may log to the test.
func Serve(t testing.TB, listeners []net.Listener, handler http.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := &http.Server{Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx }}
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() {
			if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("serving: %v", err)
			}
		})
	}
	t.Cleanup(func() {
		cancel() // closes the streams
		patience, stop := context.WithTimeout(context.Background(), browser.Patience)
		defer stop()
		if err := h.Shutdown(patience); err != nil {
			t.Errorf("the handlers do not end: %v", err)
		}
		serving.Wait()
	})
}

// ServePage serves a third party's page, on its own origin.
func ServePage(t *testing.T, page func(*http.Request) string) (origin string) {
	t.Helper()
	listeners := Listen(t)
	Serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page(r))
	}))
	return fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
}
