package library

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A library of another version than the server's says so, and shows nothing of the sandbox.
func TestLibraryOfAnotherProtocol(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	const other = protocol.Version + 1
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/bellglass.js" {
				next.ServeHTTP(w, r)
				return
			}
			whole := httptest.NewRecorder()
			next.ServeHTTP(whole, r)
			ours := fmt.Appendf(nil, "var version = %d;", protocol.Version)
			if n := bytes.Count(whole.Body.Bytes(), ours); n != 1 {
				t.Errorf("the library sets its protocol %d times", n)
			}
			header := w.Header()
			for name, values := range whole.Header() {
				header[name] = values
			}
			header.Del("Content-Length")
			w.WriteHeader(whole.Code)
			w.Write(bytes.Replace(whole.Body.Bytes(), ours, []byte("var version = "+strconv.Itoa(other)+";"), 1))
		})
	}, func(c *server.Config) { c.Embedders = []string{origin} })
	sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, sandbox.OuterURL()), "")
	var got []string
	page.Eval(t, `loaded.then(() => heard('s0', 'error')).then(({ code, text }) => [by('s0').state, code, text])`, &got)
	want := []string{"failed", "version-mismatch", fmt.Sprintf("This page’s Bellglass library speaks protocol %d, and the server speaks protocol %d.", other, protocol.Version)}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the element says %q, want %q", got, want)
	}
}
