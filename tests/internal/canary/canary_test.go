package canary

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func TestHTTP(t *testing.T) {
	c := Start(t)
	client := newClient(t)
	for _, test := range []struct{ method, path, contentType string }{
		{"GET", "x.js", "text/javascript"},
		{"POST", "x.json?q=1", "application/json"},
		{"GET", "x.css", "text/css"},
		{"GET", "x.png", "image/png"},
		{"GET", "x.html", "text/html; charset=utf-8"},
		{"PURGE", "deep/er", "text/plain; charset=utf-8"},
	} {
		token := "t-" + test.method + "-" + strings.ReplaceAll(test.path, "/", "-")
		res := do(t, client, test.method, c.URL(token, test.path), "hello")
		if got := res.Header.Get("Content-Type"); got != test.contentType {
			t.Errorf("%s %s: Content-Type %q", test.method, test.path, got)
		}
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != "*" {
			t.Errorf("%s %s: Access-Control-Allow-Origin %q", test.method, test.path, got)
		}
		hits := c.Hits(token)
		if len(hits) != 1 || hits[0].Kind != "http" || hits[0].Method != test.method ||
			!strings.HasSuffix(hits[0].Path, test.path) || string(hits[0].Body) != "hello" ||
			hits[0].Header.Get("X-Test") != "yes" || hits[0].Time.IsZero() {
			t.Errorf("%s %s: hits %+v", test.method, test.path, hits)
		}
	}
	if hits := c.Hits("never"); len(hits) != 0 {
		t.Errorf("hits of a token that was not used: %+v", hits)
	}
}

func TestPreflight(t *testing.T) {
	c := Start(t)
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodOptions, c.URL("pre", "x"), nil)
	req.Header.Set("Access-Control-Request-Method", "DELETE")
	req.Header.Set("Access-Control-Request-Headers", "authorization")
	res, err := newClient(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNoContent || res.Header.Get("Access-Control-Allow-Methods") != "DELETE" ||
		res.Header.Get("Access-Control-Allow-Headers") != "authorization" {
		t.Errorf("answer %d %v", res.StatusCode, res.Header)
	}
	if hits := c.Hits("pre"); len(hits) != 1 || hits[0].Method != "OPTIONS" {
		t.Errorf("hits %+v: a preflight is a hit", hits)
	}
}

func TestRedirect(t *testing.T) {
	c := Start(t)
	res := do(t, newClient(t), "GET", c.Redirect("from", c.URL("to", "x.json")), "")
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %d", res.StatusCode)
	}
	if len(c.Hits("from")) != 1 || len(c.Hits("to")) != 1 {
		t.Errorf("hits %+v and %+v", c.Hits("from"), c.Hits("to"))
	}
}

func TestBothLoopbackAddresses(t *testing.T) {
	c := Start(t)
	hosts := []string{"127.0.0.1"}
	if probe, err := net.Listen("tcp6", "[::1]:0"); err == nil {
		probe.Close()
		hosts = append(hosts, "[::1]")
	}
	for _, host := range hosts {
		do(t, newClient(t), "GET", c.URLAt(host, "both", ""), "")
	}
	if hits := c.Hits("both"); len(hits) != len(hosts) {
		t.Errorf("%d hits by %v", len(hits), hosts)
	}
}

func TestWebSocket(t *testing.T) {
	c := Start(t)
	ws, _, err := websocket.Dial(t.Context(), c.WebSocketURL("live"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.Write(t.Context(), websocket.MessageText, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, got, err := ws.Read(t.Context()); err != nil || string(got) != "x" {
		t.Errorf("echo %q, %v", got, err)
	}
	if hits := c.Hits("live"); len(hits) != 1 || hits[0].Kind != "websocket" {
		t.Errorf("hits %+v", hits)
	}
	if err := ws.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
	if err := c.Quiesce(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTCP(t *testing.T) {
	c := Start(t)
	// A preconnect sends nothing.
	silent := dial(t, c.TCP("preconnect"))
	if hit, err := c.Wait(t.Context(), "preconnect"); err != nil || hit.Kind != "tcp" || len(hit.Body) != 0 {
		t.Errorf("silent: %+v, %v", hit, err)
	}
	silent.Close()

	// A TLS hello is bytes, but not HTTP.
	hello := tls.Client(dial(t, c.TCP("tls")), &tls.Config{ServerName: "secret.example"})
	if err := hello.HandshakeContext(t.Context()); err == nil {
		t.Error("the canary spoke TLS")
	}
	hello.Close()

	do(t, newClient(t), "GET", "http://"+c.TCP("spoke")+"/other/path", "")
	if err := c.Quiesce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := c.Hits("tls"); len(hits) != 1 || !strings.Contains(string(hits[0].Body), "secret.example") {
		t.Errorf("tls: %+v", hits)
	}
	if hits := c.Hits("spoke"); len(hits) != 2 || hits[0].Kind != "tcp" || hits[1].Kind != "http" || hits[0].Conn != hits[1].Conn {
		t.Errorf("http on a token's port: %+v", hits)
	}
	var tokens []string
	for _, hit := range c.Silent() {
		tokens = append(tokens, hit.Token)
	}
	if want := []string{"preconnect", "tls"}; !slices.Equal(tokens, want) {
		t.Errorf("silent connections %v, want %v", tokens, want)
	}
	if first, second := c.TCP("tls"), c.TCP("tls"); first != second {
		t.Error("a token has two ports")
	}
}

func TestWaitEnds(t *testing.T) {
	c := Start(t)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := c.Wait(ctx, "never"); !errors.Is(err, why) || !strings.Contains(err.Error(), "never") {
		t.Errorf("error %v", err)
	}
	arrived := make(chan Hit)
	go func() {
		hit, err := c.Wait(t.Context(), "late")
		if err != nil {
			t.Error(err)
		}
		arrived <- hit
	}()
	do(t, newClient(t), "GET", c.URL("late", "x"), "")
	if hit := <-arrived; hit.Token != "late" {
		t.Errorf("hit %+v", hit)
	}
}

// newClient returns a client without keep-alive, so that its connections close.
func newClient(t *testing.T) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func do(t *testing.T, client *http.Client, method, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Test", "yes")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	return res
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
