package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
)

const embedder = "https://docs.example.com"

func askLibrary(t *testing.T, s *server.Server, method, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "http://sandbox.localhost:3333"+path, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Pages of allowed embedders get the library, and no other pages do.
func TestLibraryIsForEmbedders(t *testing.T) {
	s, err := server.New(server.Config{Embedders: []string{embedder}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.LibraryURL(); got != "http://sandbox.localhost:3333/bellglass.js" {
		t.Errorf("the library is at %s", got)
	}
	const denied = ""
	for _, row := range []struct {
		origin string // of the page that asks; "" if the request names none
		status int
		allow  string
	}{
		{embedder, http.StatusOK, embedder},
		{"http://localhost:3333", http.StatusOK, "http://localhost:3333"},
		{"http://127.0.0.1:3333", http.StatusOK, "http://127.0.0.1:3333"},
		{"", http.StatusOK, denied},
		{"https://evil.example.com", http.StatusForbidden, denied},
		{"https://docs.example.com.evil.test", http.StatusForbidden, denied},
		{"http://docs.example.com", http.StatusForbidden, denied},
		{"HTTPS://DOCS.EXAMPLE.COM", http.StatusForbidden, denied},
		{"null", http.StatusForbidden, denied},
	} {
		for path, want := range map[string]struct{ kind, holds string }{
			"/bellglass.js":   {"text/javascript; charset=utf-8", "bellglass-sandbox"},
			"/bellglass.d.ts": {"text/plain; charset=utf-8", "export class BellglassSandbox"},
		} {
			header := http.Header{}
			if row.origin != "" {
				header.Set("Origin", row.origin)
			}
			w := askLibrary(t, s, http.MethodGet, path, header)
			if w.Code != row.status || w.Header().Get("Access-Control-Allow-Origin") != row.allow {
				t.Errorf("%s for %q: %d, allowing %q; want %d, %q", path, row.origin, w.Code, w.Header().Get("Access-Control-Allow-Origin"), row.status, row.allow)
			}
			if has := strings.Contains(w.Body.String(), want.holds); has != (row.status == http.StatusOK) {
				t.Errorf("%s for %q holds %q: %v", path, row.origin, want.holds, has)
			}
			if row.status == http.StatusOK && w.Header().Get("Content-Type") != want.kind {
				t.Errorf("%s is %s", path, w.Header().Get("Content-Type"))
			}
			// A cached answer for one origin does not serve another, and the library loads
			// only with CORS.
			for name, value := range map[string]string{"Vary": "Origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff"} {
				if got := w.Header().Get(name); got != value {
					t.Errorf("%s for %q has %s: %q, want %q", path, row.origin, name, got, value)
				}
			}
		}
	}
}

// A browser that has this version does not get it again.
func TestLibraryHasAVersion(t *testing.T) {
	s, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for _, path := range []string{"/bellglass.js", "/bellglass.d.ts"} {
		first := askLibrary(t, s, http.MethodGet, path, nil)
		tag := first.Header().Get("ETag")
		if first.Header().Get("Cache-Control") != "no-cache" || len(tag) < 64 || tags[tag] {
			t.Errorf("%s has Cache-Control %q and the tag %s", path, first.Header().Get("Cache-Control"), tag)
		}
		tags[tag] = true
		if again := askLibrary(t, s, http.MethodGet, path, http.Header{"If-None-Match": {tag}}); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s asked for again: %d with %d bytes", path, again.Code, again.Body.Len())
		}
		if other := askLibrary(t, s, http.MethodGet, path, http.Header{"If-None-Match": {`"another"`}, "Range": {"bytes=0-1"}}); other.Code != http.StatusOK || other.Body.Len() != first.Body.Len() {
			t.Errorf("%s of another version: %d with %d bytes, want all %d", path, other.Code, other.Body.Len(), first.Body.Len())
		}
		if post := askLibrary(t, s, http.MethodPost, path, nil); post.Code == http.StatusOK {
			t.Errorf("POST %s is answered with %d", path, post.Code)
		}
	}
	// Another spelling is another path, and so is the same path at the host page's origin.
	for _, url := range []string{"http://sandbox.localhost:3333/bellglass%2ejs", "http://sandbox.localhost:3333/bellglass.js/", "http://localhost:3333/bellglass.js"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s is answered with %d", url, w.Code)
		}
	}
}
