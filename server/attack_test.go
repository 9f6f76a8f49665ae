package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// The tests in attack_*_test.go try to get past the server with requests that no handler was
// written for. Each kind has a control: the intended request, or the same request without the
// defense.

// A response is a complete response as it came over a connection.
type response struct {
	status int
	header http.Header
	body   string
}

// listening serves a server with one sandbox on a real connection.
func listening(t testing.TB) (s *Server, sandbox *Sandbox, addr string) {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, sandbox = serverWith(t, Config{PublicURL: l.URL()})
	serveUntilEnd(t, s, l)
	return s, sandbox, fmt.Sprintf("127.0.0.1:%d", l.Port())
}

// guardedServer serves a server on another port than that of its origins.
func guardedServer(t testing.TB, s *Server) (addr string) {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serveUntilEnd(t, s, l)
	return fmt.Sprintf("127.0.0.1:%d", l.Port())
}

func serveUntilEnd(t testing.TB, s *Server, l *Listeners) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
}

// unguarded serves the same server in a plain server of net/http.
func unguarded(t testing.TB, s *Server) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{Handler: s, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	t.Cleanup(func() {
		h.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serving: %v", err)
		}
	})
	return l.Addr().String()
}

// raw sends bytes on a new connection, and reads the answers until the server closes it. The
// method determines whether an answer has a body.
func raw(t testing.TB, addr, method, request string) []response {
	t.Helper()
	conn, err := net.Dial("tcp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// The server may have stopped reading. Its answer is still there.
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		io.WriteString(conn, request)
	}()
	defer func() { <-sent }()
	defer conn.Close()
	reader := bufio.NewReader(conn)
	var all []response
	for {
		got, err := http.ReadResponse(reader, &http.Request{Method: method})
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return all
		}
		if err != nil {
			t.Fatalf("after %d answers to %.200q: %v", len(all), request, err)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatalf("the body of the answer to %.200q: %v", request, err)
		}
		all = append(all, response{got.StatusCode, got.Header, string(body)})
		if got.Close {
			return all
		}
	}
}

// policed returns an error if a header lacks what every answer must have, or has what none may
// have.
func policed(h http.Header) error {
	for _, name := range []string{"Content-Security-Policy", "Connection-Allowlist", "Permissions-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "X-Dns-Prefetch-Control"} {
		if values := h.Values(name); len(values) != 1 || values[0] == "" {
			return fmt.Errorf("%s is %q, want one value", name, values)
		}
	}
	csp := h.Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src ") || strings.Contains(csp, ",") {
		return fmt.Errorf("the policy is %q", csp)
	}
	// Only the outer page frames a sandbox and may be framed.
	outer := strings.Contains(csp, "; frame-src http") && !strings.Contains(csp, "frame-ancestors 'none'")
	want := []string{"?1"}
	if outer {
		want = nil
	}
	if values := h.Values("Origin-Agent-Cluster"); !slices.Equal(values, want) {
		return fmt.Errorf("Origin-Agent-Cluster is %q with the policy %q", values, csp)
	}
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" || name == "Refresh" || name == "Link" {
			return fmt.Errorf("%s: %q", name, h[name])
		}
	}
	return nil
}

// ask passes a request to the handler as net/http would. A client library need not be able to
// send the target.
func ask(t testing.TB, s *Server, method, host, target string, header http.Header) response {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")))
	if err != nil {
		t.Fatalf("%s %s of %s: %v", method, target, host, err)
	}
	maps.Copy(r.Header, header)
	return serveOn(s, r)
}

// serveOn serves a request whose client is gone, so that a stream ends.
func serveOn(s *Server, r *http.Request) response {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r.WithContext(&awaitedContext{Context: context.Background()}))
	return response{w.Code, w.Header(), w.Body.String()}
}

// decoded removes one level of percent-encoding.
func decoded(target string) string {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return target
	}
	return u.Path
}
