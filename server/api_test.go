package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// A call is a request to the API before it is sent.
type call struct {
	method, path string // path with ID for the sandbox's id
	host         string
	header       http.Header
	body         string
	// cut sends only half of the body. With gone the client then closes the connection.
	// Otherwise it waits for the answer.
	cut, gone bool
	// announced is the declared length of the body, if it is not 0. No body is sent then.
	announced int
}

// with returns the call with other headers. An empty value removes a header.
func (c call) with(pairs ...string) call {
	c.header = maps.Clone(c.header)
	for i := 0; i < len(pairs); i += 2 {
		if c.header.Del(pairs[i]); pairs[i+1] != "" {
			c.header.Set(pairs[i], pairs[i+1])
		}
	}
	return c
}

func (c call) withBody(body string) call {
	c.body = body
	return c
}

// An apiServer serves the API on a real connection.
type apiServer struct {
	*Server
	t       testing.TB
	addr    string
	handled chan struct{} // receives a value for each request that has been handled
}

func startAPI(t testing.TB, config Config) *apiServer {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config.PublicURL = localURL(insecure, l.Addr().(*net.TCPAddr).Port)
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	a := &apiServer{s, t, l.Addr().String(), make(chan struct{}, 100)}
	h := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { a.handled <- struct{}{} }()
		s.ServeHTTP(w, r)
	})}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	t.Cleanup(func() {
		s.Close() // ends the streams
		h.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serving: %v", err)
		}
	})
	return a
}

// sandbox makes a sandbox with a file.
func (a *apiServer) sandbox() *Sandbox {
	a.t.Helper()
	files, err := a.Store().Snapshot(map[string][]byte{"/index.html": []byte("x")}, vfs.DefaultLimits())
	if err != nil {
		a.t.Fatal(err)
	}
	sandbox, err := a.Create(Spec{Name: "test", Files: files})
	if err != nil {
		a.t.Fatal(err)
	}
	return sandbox
}

// call returns a request with the server's own token. It declares a JSON body as JSON.
func (a *apiServer) call(method, path, body string) call {
	c := call{method: method, path: api.Root + path, host: a.config.public.authority("localhost"), header: http.Header{}, body: body}
	c.header.Set("Authorization", "Bearer "+a.Token())
	switch {
	case strings.HasPrefix(body, "{"):
		c.header.Set("Content-Type", api.MediaJSON)
	case strings.HasPrefix(body, "PK"):
		c.header.Set("Content-Type", api.MediaZip)
	}
	return c
}

// send sends the call about the sandbox, which may be nil, and returns the answer. It reads
// nothing of a stream. A client that closes the connection gets no answer.
func (a *apiServer) send(c call, sandbox *Sandbox) response {
	a.t.Helper()
	if sandbox != nil {
		c.path = strings.ReplaceAll(c.path, "ID", sandbox.ID())
	}
	if c.cut || c.announced > 0 {
		return a.sendCut(c)
	}
	r, err := http.NewRequestWithContext(context.Background(), c.method, "http://"+a.addr, strings.NewReader(c.body))
	if err != nil {
		a.t.Fatal(err)
	}
	r.URL.Opaque, r.Host, r.Header = c.path, c.host, c.header
	got, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		a.t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	defer got.Body.Close()
	if got.Header.Get("Content-Type") == api.MediaEvents {
		got.Body.Close()
		<-a.handled
		return response{got.StatusCode, got.Header, ""}
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		a.t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	<-a.handled
	return response{got.StatusCode, got.Header, string(body)}
}

// sendCut announces a body, and sends only half of it or nothing.
func (a *apiServer) sendCut(c call) response {
	a.t.Helper()
	conn, err := net.Dial("tcp4", a.addr)
	if err != nil {
		a.t.Fatal(err)
	}
	defer conn.Close()
	length, body := len(c.body), c.body[:len(c.body)/2]
	if c.announced > 0 {
		length, body = c.announced, ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", c.method, c.path, c.host, length)
	if err := c.header.Write(&text); err != nil {
		a.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text.String()+"\r\n"+body); err != nil {
		a.t.Fatal(err)
	}
	if c.gone {
		conn.Close()
		<-a.handled
		return response{}
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		a.t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		a.t.Fatal(err)
	}
	<-a.handled
	return parseResponse(a.t, string(answer))
}

// state returns everything that a refused request must not change.
func (a *apiServer) state() string {
	var b strings.Builder
	for _, sandbox := range a.Sandboxes() {
		files, revision := sandbox.Files()
		policy, _ := sandbox.Policy()
		fmt.Fprintf(&b, "%s %d %s %q %s %q %q %v %s\n", sandbox.ID(), revision, files.Hash(), policy.Text(), policy.Name, sandbox.Name(), sandbox.Entry(), sandbox.Labels(), sandbox.Expires())
	}
	return b.String()
}

// problemIn decodes a refusal, and checks what holds for all refusals.
func problemIn(t testing.TB, got response) Problem {
	t.Helper()
	var p Problem
	if media := got.header.Get("Content-Type"); media != api.MediaProblem {
		t.Errorf("status %d with the type %q: %.300q", got.status, media, got.body)
		return p
	}
	if err := json.Unmarshal([]byte(got.body), &p); err != nil {
		t.Fatalf("%q: %v", got.body, err)
	}
	i := slices.IndexFunc(api.Codes, func(c api.Code) bool { return c.Name == p.Code })
	if i < 0 {
		t.Fatalf("the code %q is not listed: %s", p.Code, got.body)
	}
	if c := api.Codes[i]; p.Status != got.status || !slices.Contains(c.Status, p.Status) || p.Title != c.Title || p.Type != api.ProblemTypes+p.Code || p.Detail == "" {
		t.Errorf("status %d, and the problem is %+v", got.status, p)
	}
	for _, inside := range []string{"server:", "json:", "Go ", "server.", "vfs:"} {
		if strings.Contains(p.Detail, inside) {
			t.Errorf("the detail is of the inside: %q", p.Detail)
		}
	}
	if err := policed(got.header); err != nil {
		t.Error(err)
	}
	return p
}

// answered decodes the JSON of a successful answer.
func answered[T any](t testing.TB, got response, status int) (into T) {
	t.Helper()
	if got.status != status {
		t.Fatalf("status %d, want %d: %s", got.status, status, got.body)
	}
	if err := policed(got.header); err != nil {
		t.Error(err)
	}
	if cache := got.header.Get("Cache-Control"); cache != "no-store" {
		t.Errorf("Cache-Control is %q", cache)
	}
	if err := json.Unmarshal([]byte(got.body), &into); err != nil {
		t.Fatalf("%v: %q", err, got.body)
	}
	return into
}

func parseResponse(t testing.TB, text string) response {
	t.Helper()
	got, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{got.StatusCode, got.Header, string(body)}
}

// ask does what send does, for a request that needs no connection.
func (a *apiServer) ask(c call) response {
	a.t.Helper()
	r := httptest.NewRequest(c.method, "http://"+c.host+c.path, strings.NewReader(c.body))
	r.Header = c.header.Clone()
	return serveOn(a.Server, r)
}
