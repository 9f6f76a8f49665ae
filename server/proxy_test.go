package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
)

const mcpHost = "http://localhost:8080"

func newProxy(t *testing.T, options mcpapps.Options) *Server {
	t.Helper()
	s, err := New(Config{Embedders: []string{mcpHost}, MCPApps: &options})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// askProxy sends what a browser sends for a frame.
func (s *Server) askProxy(target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://sandbox.localhost:3333"+target, nil)
	r.Header.Set("Sec-Fetch-Dest", "iframe")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// proxyTarget returns the address of the proxy for a declaration, or for none.
func proxyTarget(csp string) string {
	if csp == "" {
		return "/sandbox.html"
	}
	return "/sandbox.html?csp=" + url.QueryEscape(csp)
}

// directivesOf returns the directives of an app's document, by name.
func directivesOf(t *testing.T, s *Server, csp string) map[string]string {
	t.Helper()
	w := s.askProxy(proxyTarget(csp))
	id := strings.TrimPrefix(w.Header().Get("Location"), "/")
	sandbox := s.Sandbox(id)
	if w.Code != http.StatusSeeOther || sandbox == nil {
		t.Fatalf("the proxy answers %d to %s: %s", w.Code, csp, w.Body)
	}
	v, _ := sandbox.Version()
	policy := v.Firewall.Headers(firewall.Inner, sandbox.site(v)).Get("Content-Security-Policy")
	all := map[string]string{}
	for _, directive := range strings.Split(policy, "; ") {
		name, sources, _ := strings.Cut(directive, " ")
		all[name] = sources
	}
	return all
}

// restrictive is the policy that the specification gives to apps that declare nothing. For
// directives that the specification does not mention, it has the narrower value.
var restrictive = map[string]string{
	"default-src": "'none'", "script-src": "'self' 'unsafe-inline'", "style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:",
	"font-src": "'none'", "media-src": "'self' data:", "connect-src": "'none'", "worker-src": "'self'", "frame-src": "'none'",
	"manifest-src": "'none'", "object-src": "'none'", "base-uri": "'self'", "form-action": "'none'",
}

// A declaration changes only the directives that the specification names.
func TestProxyPolicies(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	// entries are what an app may declare, with the resulting sources, "" for none.
	entries := []struct{ entry, sources string }{
		{"https://api.example.com", "https://api.example.com"},
		{"https://*.example.com", "https://*.example.com"},
		{"https://api.example.com:8443", "https://api.example.com:8443"},
		{"https://api.example.com/", "https://api.example.com"},
		{"https://api.example.com/v1/", "https://api.example.com/v1/"},
		{"http://localhost:3000", "http://localhost:3000 https://localhost:3000"},
		{"api.example.com", "https://api.example.com"},
		{"*", ""}, {"data:", ""}, {"'unsafe-eval'", ""}, {"https://a.example.com; script-src *", ""},
		{"https://u:p@a.example.com", ""}, {"https://[::1]", ""}, {"https://a.example.com\nX: y", ""}, {`"`, ""},
	}
	fields := map[string][]string{
		"connectDomains":  {"connect-src"},
		"resourceDomains": {"script-src", "style-src", "img-src", "font-src", "media-src"},
		"frameDomains":    {"frame-src"},
		"baseUriDomains":  {"base-uri"},
	}
	type row struct {
		csp     string
		changed map[string]string
	}
	rows := []row{{"", nil}, {"{}", nil}, {"null", nil}, {`{"connectDomains":[],"resourceDomains":null}`, nil}, {`{"unknown":["https://a.example.com"]}`, nil},
		{`{"connectDomains":["wss://a.example.com"]}`, map[string]string{"connect-src": "wss://a.example.com"}},
		{`{"resourceDomains":["wss://a.example.com"]}`, nil},
	}
	for field, names := range fields {
		for _, e := range entries {
			csp, err := json.Marshal(map[string][]string{field: {e.entry}})
			if err != nil {
				t.Fatal(err)
			}
			changed := map[string]string{}
			for _, name := range names {
				switch before := restrictive[name]; {
				case e.sources == "":
				case before == "'none'", name == "base-uri":
					changed[name] = e.sources
				default:
					changed[name] = before + " " + e.sources
				}
			}
			rows = append(rows, row{string(csp), changed})
		}
	}
	for _, row := range rows {
		got := directivesOf(t, s, row.csp)
		for name, want := range restrictive {
			if changed, found := row.changed[name]; found {
				want = changed
			}
			if got[name] != want {
				t.Errorf("%s: %s is %q, want %q", row.csp, name, got[name], want)
			}
		}
		if len(got) != len(restrictive)+3 {
			t.Errorf("%s: the policy has the directives %v", row.csp, got)
		}
	}
	if len(rows) < 60 {
		t.Errorf("only %d declarations", len(rows))
	}
}

// If a request to the proxy is invalid, the frame says why, and nothing runs.
func TestProxyRefusals(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	for _, row := range []struct{ target, code, says string }{
		{"/sandbox.html?csp=undefined", "bad-csp", "not a JSON object"},
		{"/sandbox.html?csp=", "bad-csp", "not a JSON object"},
		{"/sandbox.html?csp=[]", "bad-csp", "not a JSON object"},
		{"/?csp=%7B", "bad-csp", "not the JSON"},
		{"/sandbox.html?csp={}&csp={}", "bad-csp", "2 parameters"},
		{"/sandbox.html?csp=" + url.QueryEscape(`{"connectDomains":["`+strings.Repeat("a", 40_000)+`"]}`), "bad-csp", "at most 32768"},
		{"/sandbox.html?csp=" + url.QueryEscape(`{"connectDomains":"https://a.example.com"}`), "bad-csp", "connectDomains"},
	} {
		w := s.askProxy(row.target)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), row.code) || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%.60s: %d %s", row.target, w.Code, w.Body)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors http://localhost:3333 http://127.0.0.1:3333 "+mcpHost) || !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src") {
			t.Errorf("%.60s: the page has the policy %s", row.target, policy)
		}
	}
	if n := len(s.Sandboxes()); n != 0 {
		t.Errorf("%d sandboxes were made", n)
	}
}

// The proxy refuses a host page of its own origin, a tab, and a request that is not for a
// frame.
func TestProxyIsForFramesOfHosts(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	for destination, row := range map[string]struct {
		site string
		code int
		says string
	}{
		"iframe":   {"same-origin", http.StatusForbidden, "shared-origin"},
		"document": {"none", http.StatusForbidden, "tab"},
		"empty":    {"cross-site", http.StatusForbidden, "not-a-frame"},
		"":         {"", http.StatusForbidden, "not-a-frame"},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://sandbox.localhost:3333/sandbox.html", nil)
		r.Header.Set("Sec-Fetch-Dest", destination)
		r.Header.Set("Sec-Fetch-Site", row.site)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != row.code || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%q: %d %s", destination, w.Code, w.Body)
		}
	}
	other, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	if w := other.askProxy("/sandbox.html"); w.Code != http.StatusNotFound {
		t.Errorf("a server that is no proxy answers %d", w.Code)
	}
}

// Any web page can request the proxy. Sandboxes without an app make room for each other, and
// never end one that runs an app.
func TestAwaitedAppsAreBounded(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	first := s.Sandbox(strings.TrimPrefix(s.askProxy("/").Header().Get("Location"), "/"))
	running := s.Sandbox(strings.TrimPrefix(s.askProxy("/").Header().Get("Location"), "/"))
	if got := handIn(s, running, `{"html":"<p>x</p>"}`); got.Code != http.StatusOK {
		t.Fatalf("%d %s", got.Code, got.Body)
	}
	for range mostAwaited {
		s.askProxy("/")
	}
	if s.Sandbox(first.ID()) != nil || s.Sandbox(running.ID()) == nil || len(s.Sandboxes()) != mostAwaited+1 {
		t.Errorf("of %d sandboxes the first is there: %v, the running: %v", len(s.Sandboxes()), s.Sandbox(first.ID()) != nil, s.Sandbox(running.ID()) != nil)
	}
}

// A sandbox that is removed in another way does not wait any more either.
func TestRemovedAppsAreNotAwaited(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	s.askProxy("/")
	s.Remove(s.Sandboxes()[0].ID())
	if n := len(s.awaited); n != 0 {
		t.Errorf("%d sandboxes are awaited", n)
	}
}
