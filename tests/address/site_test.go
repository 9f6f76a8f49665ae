package address

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// A site is an embedder on another https origin.
type site struct {
	origin string
	port   int
	copied string // path to a copy of the library, at /copy.js
}

// serveSite serves a page with elements until the test ends.
func serveSite(t *testing.T) *site {
	t.Helper()
	cert, key, err := ca(t).Issue(t.TempDir(), tomorrow(), "docs.other.test", "localhost")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	e := &site{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/copy.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, e.copied)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embedder</title>
<script>
	globalThis.heard = []
	addEventListener('DOMContentLoaded', () => {
		for (const element of document.querySelectorAll('bellglass-sandbox')) for (const type of ['ready', 'console', 'blocked', 'error'])
			element.addEventListener(type, ({ detail }) => heard.push(type + ' ' + (detail.text ?? detail.containment ?? '')))
	})
	globalThis.count = (start) => heard.filter((entry) => entry.startsWith(start)).length
	globalThis.until = (start, n) => new Promise((resolve) => {
		const look = setInterval(() => { if (count(start) >= n) { clearInterval(look); resolve(heard) } }, 50)
	})
</script><script type="module" src="%s"></script>`, r.FormValue("library"))
		for _, source := range r.Form["src"] {
			fmt.Fprintf(w, `<bellglass-sandbox src="%s"></bellglass-sandbox>`, source)
		}
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	s.StartTLS()
	t.Cleanup(s.Close)
	e.port = s.Listener.Addr().(*net.TCPAddr).Port
	e.origin = fmt.Sprintf("https://docs.other.test:%d", e.port)
	return e
}

// page returns the address of a page with a library and elements.
func (e *site) page(library string, sources ...string) string {
	return e.origin + "/?" + url.Values{"library": {library}, "src": sources}.Encode()
}
