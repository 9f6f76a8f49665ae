package canary

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/coder/websocket"
)

// Whatever its name, port, and scheme, a request is recorded under these.
func TestAnywhere(t *testing.T) {
	c := Start(t)
	addr := c.Anywhere()
	transport := &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
	}
	client := &http.Client{Transport: transport}
	// A client that connects and sends nothing blocks nobody.
	silent := dial(t, addr)
	urls := []string{"http://a.test/x", "https://a.test/x?q=1", "https://b.test:8443/%7e/[1]", "http://127.0.0.1:1/"}
	for _, url := range urls {
		if res := do(t, client, "POST", url, "hello"); res.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", url, res.StatusCode)
		}
	}
	for _, url := range []string{"ws://c.test/live", "wss://c.test:444/live"} {
		ws, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: client})
		if err != nil {
			t.Fatal(err)
		}
		if err := ws.Write(t.Context(), websocket.MessageText, []byte("x")); err != nil {
			t.Error(err)
		}
		if _, got, err := ws.Read(t.Context()); err != nil || string(got) != "x" {
			t.Errorf("%s: echo %q, %v", url, got, err)
		}
		if err := ws.Close(websocket.StatusNormalClosure, ""); err != nil {
			t.Error(err)
		}
		urls = append(urls, url)
	}
	silent.Close()
	if err := c.Quiesce(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hit := range c.All() {
		switch {
		case hit.Kind == "tcp":
		case hit.Kind == "http" && string(hit.Body) != "hello":
			t.Errorf("%s: body %q", hit.URL(), hit.Body)
		default:
			got = append(got, hit.URL())
		}
	}
	if !slices.Equal(got, urls) {
		t.Errorf("on record are %q, want %q", got, urls)
	}
	if silent := c.Silent(); len(silent) != 1 {
		t.Errorf("silent connections: %+v", silent)
	}
}

func TestAnswer(t *testing.T) {
	c := Start(t)
	client := newClient(t)
	c.Answer("/own/page", Answer{Header: http.Header{"Content-Type": {"text/x-own"}, "X-Own": {"yes"}}, Body: "own"})
	res := do(t, client, "GET", c.URL("own", "page"), "")
	if h := res.Header; res.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/x-own" || h.Get("X-Own") != "yes" || h.Get("Access-Control-Allow-Origin") != "*" || res.ContentLength != 3 {
		t.Errorf("answer %d %v", res.StatusCode, h)
	}
	c.Answer("/own/page", RedirectTo(c.URL("to", "x")))
	if do(t, client, "GET", c.URL("own", "page"), ""); len(c.Hits("own")) != 2 || len(c.Hits("to")) != 1 {
		t.Errorf("hits %+v and %+v", c.Hits("own"), c.Hits("to"))
	}
}
