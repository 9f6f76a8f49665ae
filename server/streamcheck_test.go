package server

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// streamCheck requests the path as a program on this machine does.
func streamCheck(t *testing.T, s *Server, ts *httptest.Server, method, id string) *http.Response {
	t.Helper()
	r := made(http.NewRequest(method, ts.URL+protocol.StreamCheckPath+"?id="+id, nil))
	r.Host = s.config.public.authority(s.config.OuterHost)
	response := made(http.DefaultClient.Do(r))
	t.Cleanup(func() { response.Body.Close() })
	if err := policed(response.Header); err != nil {
		t.Errorf("%s: %v", method, err)
	}
	return response
}

// The first line arrives before the client asks for the end, and the last line says that the
// client asked. If nobody asks, or the server ends, the last line says that.
func TestStreamCheck(t *testing.T) {
	s, _ := serverWith(t, Config{})
	ts := httptest.NewServer(s)
	defer ts.Close()
	line := func(b *bufio.Reader) string { return made(b.ReadString('\n')) }

	id := NewID()
	asked := streamCheck(t, s, ts, "GET", id)
	if asked.StatusCode != 200 || asked.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%d %v", asked.StatusCode, asked.Header)
	}
	body := bufio.NewReader(asked.Body)
	if got := line(body); got != protocol.StreamBegins+"\n" {
		t.Errorf("it begins with %q", got)
	}
	if same := streamCheck(t, s, ts, "GET", id); same.StatusCode != 503 {
		t.Errorf("a second stream with the id: %d", same.StatusCode)
	}
	for range 2 { // a second request is answered in the same way, or told that the stream is over
		if got := streamCheck(t, s, ts, "POST", id); got.StatusCode != 204 && got.StatusCode != 404 {
			t.Errorf("asking: %d", got.StatusCode)
		}
	}
	if got := line(body); got != protocol.StreamAsked+"\n" {
		t.Errorf("it ends with %q", got)
	}

	for _, id := range []string{"", "x", strings.Repeat("A", idLength)} {
		if got := streamCheck(t, s, ts, "GET", id); got.StatusCode != 400 {
			t.Errorf("the id %q: %d", id, got.StatusCode)
		}
	}
	if got := streamCheck(t, s, ts, "POST", NewID()); got.StatusCode != 404 {
		t.Errorf("asking for none: %d", got.StatusCode)
	}

	var open []*bufio.Reader
	for range mostStreamChecks {
		open = append(open, bufio.NewReader(streamCheck(t, s, ts, "GET", NewID()).Body))
		line(open[len(open)-1])
	}
	if more := streamCheck(t, s, ts, "GET", NewID()); more.StatusCode != 503 || more.Header.Get("Retry-After") == "" {
		t.Errorf("beyond the limit: %d %v", more.StatusCode, more.Header)
	}
	s.End()
	for _, each := range open {
		if got := line(each); got != protocol.StreamWaited+"\n" {
			t.Errorf("at the server's end it ends with %q", got)
		}
	}
}
