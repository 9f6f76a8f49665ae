package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// ends serves. It returns a function that ends the server, and a channel with the result of
// Serve.
func ends(t *testing.T, limits Limits) (v *served, end func(), ended <-chan error) {
	t.Helper()
	s, sandboxes := limited(t, limits, 1)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	v = &served{s, sandboxes[0], l.Addr().String(), make(chan string, 1000)}
	go func() { result <- s.Serve(ctx, &Listeners{list: []net.Listener{watchedListener{l, v.closed}}}) }()
	t.Cleanup(cancel)
	return v, cancel, result
}

// awaited returns the next value, or fails the test.
func awaited[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waiting in vain for %s", what)
		panic("unreachable")
	}
}

// rest reads the rest of a connection in the background.
func rest(c net.Conn) <-chan string {
	all := make(chan string, 1)
	go func() {
		text, err := io.ReadAll(c)
		if err != nil {
			text = append(text, err.Error()...)
		}
		all <- string(text)
	}()
	return all
}

// begun waits for the beginning of an answer, which shows that a handler runs.
func begun(t *testing.T, c net.Conn, text string) {
	t.Helper()
	var got []byte
	for !strings.Contains(string(got), text) {
		b := make([]byte, 1)
		if _, err := c.Read(b); err != nil {
			t.Fatalf("%v after %q, waiting for %q", err, got, text)
		}
		got = append(got, b...)
	}
}

// An ending server ends its streams with a last event, answers the requests in progress, and
// accepts nothing more. It does not wait for connections without a request.
func TestServeEndsInOrder(t *testing.T) {
	v, end, ended := ends(t, Limits{})
	events := v.dial(t, v.sandbox.wire("GET", "/events")+"\r\n")
	begun(t, events, `"step":"created"`)
	changes := v.dial(t, v.sandbox.wire("GET", protocol.ChangesPath)+"\r\n")
	begun(t, changes, "1\n")
	const body = `{"page":[{"kind":"console","level":"log","text":"in the middle"}]}`
	middle := v.dial(t, v.sandbox.wire("POST", "/reports")+"Expect: 100-continue\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n")
	begun(t, middle, "100 Continue") // the handler reads the body
	silent, half := v.dial(t, ""), v.dial(t, "GET / HTTP/1.1\r\nHost: ")
	idle := v.dial(t, "GET /healthz HTTP/1.1\r\nHost: localhost:3333\r\n\r\n")
	begun(t, idle, `"status":"ok"`)

	end()
	if text := awaited(t, rest(events), "the end of the events"); !strings.Contains(text, `"step":"ending"`) || !strings.HasSuffix(text, "\r\n0\r\n\r\n") {
		t.Errorf("the events end with %q", text)
	}
	if text := awaited(t, rest(changes), "the end of the changes"); !strings.HasSuffix(text, "ending\n\r\n0\r\n\r\n") {
		t.Errorf("the changes end with %q", text)
	}
	for name, c := range map[string]net.Conn{"silent": silent, "half": half, "idle": idle} {
		// Whether the connection is closed or reset depends on whether all bytes were read.
		if text := awaited(t, rest(c), "the end of the connection that is "+name); strings.Contains(text, "HTTP/1.1") {
			t.Errorf("the connection that is %s gets %q", name, text)
		}
	}
	if c, err := net.Dial("tcp4", v.addr); err == nil {
		// The connection is reset if it was still waiting to be accepted.
		if text := awaited(t, rest(c), "the end of a new connection"); strings.Contains(text, "HTTP/1.1") {
			t.Errorf("a new connection gets %q", text)
		}
		c.Close()
	}
	select {
	case err := <-ended:
		t.Fatalf("it has ended in the middle of a request: %v", err)
	default:
	}
	if _, err := io.WriteString(middle, body); err != nil {
		t.Fatal(err)
	}
	if text := awaited(t, rest(middle), "the answer"); !strings.Contains(text, "HTTP/1.1 204 ") {
		t.Errorf("the request in the middle gets %q", text)
	}
	if err := awaited(t, ended, "the server's end"); err != nil {
		t.Errorf("Serve returns %v", err)
	}
	kept := logged(v.sandbox, 0)
	if last := string(kept[len(kept)-1].JSON); !strings.Contains(last, "in the middle") {
		t.Errorf("the last event is %s", last)
	}
}

// A request that does not end in time is cut off.
func TestServeEndsInTime(t *testing.T) {
	v, end, ended := ends(t, Limits{EndTime: 50 * time.Millisecond})
	stuck := v.dial(t, v.sandbox.wire("POST", "/reports")+"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n")
	begun(t, stuck, "100 Continue")
	end()
	if err := awaited(t, ended, "the server's end"); err != nil {
		t.Errorf("Serve returns %v", err)
	}
	if text := awaited(t, rest(stuck), "the end of the connection"); strings.Contains(text, " 204 ") {
		t.Errorf("it was answered %q", text)
	}
}

// A server that is mounted in another http.Server ends by its Shutdown.
func TestEndOnShutdown(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own := &http.Server{Handler: s}
	own.RegisterOnShutdown(s.End)
	served := make(chan error, 1)
	go func() { served <- own.Serve(s.Guard(own, l)[0]) }()
	c, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, sandboxes[0].wire("GET", "/events")+"\r\n"); err != nil {
		t.Fatal(err)
	}
	begun(t, c, `"step":"created"`)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := own.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if text := awaited(t, rest(c), "the stream's end"); !strings.Contains(text, `"step":"ending"`) {
		t.Errorf("the stream ends with %q", text)
	}
	if err := awaited(t, served, "Serve"); !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
