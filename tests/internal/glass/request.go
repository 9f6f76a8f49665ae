package glass

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Request sends a request to the server under a host name, with this Sec-Fetch-Dest, as
// a browser does. Go's resolver does not know *.localhost on every machine, so Request
// dials the loopback address and only names the host.
func (g *Server) Request(t testing.TB, method, url, destination string, header http.Header, body []byte) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if destination != "" {
		r.Header.Set("Sec-Fetch-Dest", destination)
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	} else {
		r.Host = r.URL.Host
	}
	r.URL.Host = fmt.Sprintf("127.0.0.1:%d", g.Port)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// Body reads a response to its end.
func Body(t testing.TB, response *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Between returns the text between two marks.
func Between(t testing.TB, text, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, before)
	inside, _, ends := strings.Cut(rest, after)
	if !found || !ends {
		t.Fatalf("no %q…%q in %.300q", before, after, text)
	}
	return inside
}
