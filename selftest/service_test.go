package selftest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

type noGlass struct{}

func (noGlass) Sandbox(string, map[string][]byte, string) (string, string, error) {
	return "", "", errors.New("this test has no sandboxes")
}
func (noGlass) Remove(string) {}

func newTestService(t *testing.T) *Service {
	t.Helper()
	s, err := New(Config{Glass: noGlass{}, Version: "test", Script: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// own returns the headers of a request by Bellglass's own page.
func own() http.Header {
	return http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {"http://localhost:3333"}, "Content-Type": {"application/json"}}
}

func (s *Service) try(method, path, body string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:3333"+path, strings.NewReader(body))
	r.Header = header
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Only the page can start or control a run.
func TestGuards(t *testing.T) {
	s := newTestService(t)
	run, err := s.Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{Root + "/runs", run.Path() + "/cancel", run.Path() + "/frames"}
	for _, c := range []struct {
		name, header, value string
		status              int
	}{
		{"another site", "Sec-Fetch-Site", "cross-site", 403},
		{"a sandbox", "Sec-Fetch-Site", "same-site", 403},
		{"an address bar", "Sec-Fetch-Site", "none", 403},
		{"no browser", "Sec-Fetch-Site", "", 403},
		{"another origin", "Origin", "http://evil.test", 403},
		{"another port", "Origin", "http://localhost:3334", 403},
		{"another scheme", "Origin", "https://localhost:3333", 403},
		{"an opaque origin", "Origin", "null", 403},
		{"no origin", "Origin", "", 403},
		{"a form", "Content-Type", "application/x-www-form-urlencoded", 415},
		{"a form of text", "Content-Type", "text/plain", 415},
		{"no type", "Content-Type", "", 415},
	} {
		for _, path := range paths {
			header := own()
			header.Set(c.header, c.value)
			if c.value == "" {
				header.Del(c.header)
			}
			if w := s.try("POST", path, "null", header); w.Code != c.status {
				t.Errorf("%s may POST %s: %d %s", c.name, path, w.Code, w.Body)
			}
		}
	}
	if w := s.try("GET", run.Path()+"/orders", "", http.Header{"Sec-Fetch-Site": {"cross-site"}}); w.Code != 403 {
		t.Errorf("another site may drive a run: %d", w.Code)
	}
	if _, err := s.Start(Options{}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second run: %v", err)
	}
	if w := s.try("POST", Root+"/runs", "null", own()); w.Code != 409 {
		t.Errorf("a second run is answered with %d", w.Code)
	}
	if w := s.try("POST", run.Path()+"/cancel", "null", own()); w.Code != 204 {
		t.Errorf("the page itself cannot cancel: %d %s", w.Code, w.Body)
	}
	<-run.Done()
	if got := run.Report().Ended; got != EndedCancelled {
		t.Errorf("the run ended by %q", got)
	}
}

func TestRoutes(t *testing.T) {
	s := newTestService(t)
	run, err := s.Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", Root, "", 200, `"run":""`},
		{"GET", Root + "/runs/nosuchrun", "", 200, `"over":true`},
		{"POST", Root + "/runs/nosuchrun/cancel", "null", 404, "unknown-run"},
		{"POST", Root + "/runs/nosuchrun/frames", "{}", 404, "unknown-run"},
		{"GET", Root + "/runs/nosuchrun/orders", "", 404, "unknown-run"},
		{"POST", run.Path() + "/frames", `{`, 400, "bad-json"},
		{"POST", run.Path() + "/frames", `"` + strings.Repeat("a", maxRequest) + `"`, 413, "body"},
		{"DELETE", Root, "", 405, ""},
		{"GET", Root + "/runs", "", 405, ""},
		{"GET", Root + "/other", "", 404, ""},
	} {
		w := s.try(c.method, c.path, c.body, own())
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s: %d, want %d with %q: %.200s", c.method, c.path, w.Code, c.status, c.says, w.Body)
		}
	}
}

// The page of a run may load the frames of its own run, and no other page may.
func TestFrames(t *testing.T) {
	s := newTestService(t)
	run, err := s.Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Frames(run.id); len(got) != 1 || !strings.HasPrefix(got[0], "http://*.localhost:") {
		t.Errorf("the page of the run may load %q", got)
	}
	for _, id := range []string{"", "other", run.id + "/orders"} {
		if got := s.Frames(id); got != nil {
			t.Errorf("the page of the run %q may load %q", id, got)
		}
	}
}

// A run ends if no browser opens it, and when its page goes. Its canary then stops, and
// another run may begin.
func TestRunsEnd(t *testing.T) {
	s := newTestService(t)
	run, err := s.Start(Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	<-run.Done()
	if got := run.Report().Ended; got != EndedNoPage {
		t.Errorf("a run that no browser opens ends with %q", got)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	if run, err = s.Start(Options{}); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest("GET", server.URL+run.Path()+"/orders", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len(`data: {"kind":"open"`))
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != `data: {"kind":"open"` {
		t.Errorf("the first order is %q, %v", first, err)
	}
	if w := s.try("GET", run.Path()+"/orders", "", own()); w.Code != 409 {
		t.Errorf("another page may drive the same run: %d", w.Code)
	}
	response.Body.Close() // the page is gone
	<-run.Done()
	if got := run.Report().Ended; got != EndedPageGone {
		t.Errorf("the run ends by %q", got)
	}
	if _, err := http.Get("http://127.0.0.1:" + strings.TrimPrefix(run.plain.origin("x"), "http://x.localhost:")); err == nil {
		t.Error("the canary still listens")
	}
}
