package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
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

// A view waits until its app is there. It does not wait when it is loaded again.
func TestViewsWaitForTheirApp(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy("/").Header().Get("Location"), "/"))
	waits := func(want bool) {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, sandbox.URL()+protocol.BootPath, nil)
		r.Header.Set("Sec-Fetch-Dest", "iframe")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if says := fmt.Sprintf(`"waits":%v`, want); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%d, and the boot page does not say %s", w.Code, says)
		}
	}
	waits(true)
	handIn(s, sandbox, `{"html":""}`)
	waits(true)
	handIn(s, sandbox, `{"html":"<p>x</p>"}`)
	waits(false)
}

// A document that was begun before the app came goes on with it only if its headers and its
// first element are still right. Worker and outer frame are told the same.
func TestDocumentsContinue(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	const usual = `{"html":"<!doctype html><p>x</p>"}`
	for _, row := range []struct {
		name, csp, body string
		before          func(*Sandbox) error
		continues       bool
	}{
		{"what nearly every host sends", "{}", usual, nil, true},
		{"the same declaration again", `{"connectDomains":["https://a.example.com"]}`, `{"html":"<!doctype html><p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, true},
		{"white space and capitals", "{}", `{"html":"\ufeff\r\n <!DOCTYPE HTML>"}`, nil, true},
		{"quirks mode", "{}", `{"html":"<p>x</p>"}`, nil, false},
		{"another doctype", "{}", `{"html":"<!doctype html system 'about:legacy-compat'><p>x</p>"}`, nil, false},
		{"a comment first", "{}", `{"html":"<!--x--><!doctype html><p>x</p>"}`, nil, false},
		{"a declaration in the message alone", "", `{"html":"<!doctype html>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, false},
		{"a declaration that the address does not allow", "{}", `{"html":"<!doctype html>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, true},
		{"a narrower declaration", `{"connectDomains":["https://a.example.com"]}`, `{"html":"<!doctype html>","csp":{}}`, nil, false},
		{"a permission", "{}", `{"html":"<!doctype html>","permissions":{"camera":{}}}`, nil, false},
		{"a permission that no app gets", "{}", `{"html":"<!doctype html>","permissions":{"usb":{}}}`, nil, true},
		{"a revision between", "{}", usual, func(sandbox *Sandbox) error {
			v, _ := sandbox.Version()
			_, err := sandbox.SetPolicy(v.Firewall.Policy())
			return err
		}, false},
	} {
		sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy(proxyTarget(row.csp)).Header().Get("Location"), "/"))
		begun := stateOf(t, sandbox)
		if begun.Continues || !begun.Waits || strings.Contains(begun.Headers["Permissions-Policy"], "camera=(self)") {
			t.Errorf("%s: before the app, the state says that it waits: %v, that it continues: %v, and %s", row.name, begun.Waits, begun.Continues, begun.Headers["Permissions-Policy"])
		}
		if row.before != nil {
			if err := row.before(sandbox); err != nil {
				t.Fatal(err)
			}
		}
		w := handIn(s, sandbox, row.body)
		var grant AppGrant
		if err := json.Unmarshal(w.Body.Bytes(), &grant); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s, %v", row.name, w.Code, w.Body, err)
		}
		now := stateOf(t, sandbox)
		if grant.Continues != row.continues || now.Continues != row.continues || now.Waits {
			t.Errorf("%s: the outer frame hears %v, and the worker %v", row.name, grant.Continues, now.Continues)
		}
		begun.Waits, begun.Continues = false, true
		if diff := cmp.Diff(now, begun); now.Continues && diff != "" {
			t.Errorf("%s: the document continues, but not as it would begin (-begins +begun):\n%s", row.name, diff)
		}
		if _, err := sandbox.SetFiles(fileSet(t, s)); err != nil {
			t.Fatal(err)
		}
		if stateOf(t, sandbox).Continues {
			t.Errorf("%s: a document continues with a revision after the app's", row.name)
		}
	}
}

// documentState is the part of a worker's state that says how documents begin.
type documentState struct {
	Headers          map[string]string
	Client, Policy   string
	Waits, Continues bool
}

func stateOf(t *testing.T, sandbox *Sandbox) (state documentState) {
	t.Helper()
	v, _ := sandbox.Version()
	text, err := v.State()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// handIn sends what the outer frame sends.
func handIn(s *Server, sandbox *Sandbox, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://sandbox.localhost:3333/"+sandbox.ID()+"/app?token="+sandbox.token, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// What a host hands in, and what it is told.
func TestApps(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	for _, row := range []struct {
		csp, body string
		code      int
		says      string
	}{
		{"{}", `{"html":"<p>x</p>"}`, 200, `{"allow":"","told":[],"sandbox":{"csp":{},"permissions":{}},`},
		{"{}", `{"html":"<p>x</p>","permissions":{"camera":{},"clipboardWrite":{}},"sandbox":"allow-scripts allow-same-origin allow-forms"}`, 200, `{"allow":"camera; clipboard-write","told":[],"sandbox":{"csp":{},"permissions":{"camera":{},"clipboardWrite":{}}},`},
		{`{"connectDomains":["https://b.example.com","https://a.example.com","*"],"frameDomains":["https://a.example.com"]}`, `{"html":"<p>x</p>"}`, 200, `"sandbox":{"csp":{"connectDomains":["https://a.example.com","https://b.example.com"],"frameDomains":["https://a.example.com"]},"permissions":{}},`},
		{"{}", `{"html":"<p>x</p>","permissions":{"usb":{}},"sandbox":"allow-popups ALLOW-SCRIPTS"}`, 200, "allow-popups"},
		{"{}", `{"html":"<p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, 200, `the operator's rules all allow"],"sandbox":{"csp":{},"permissions":{}},`},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, 200, `"told":[]`},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":["*"]}}`, 200, "every host"},
		{"", `{"html":"<p>x</p>","csp":null}`, 200, `"told":[]`},
		{"", `{"html":"<p>x</p>","csp":[]}`, 400, "not a JSON object"},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":[],"connectDomains":[]}}`, 400, "csp"},
		{"", `{"html":""}`, 400, "empty"},
		{"", `{}`, 400, "empty"},
		{"", `null`, 400, "empty"},
		{"", `[]`, 400, "JSON"},
		{"", `{"html":1}`, 400, "JSON"},
		{"", `{"html":"\ud800"}`, 400, "JSON"},
		{"", "{\"html\":\"\xff\"}", 400, "JSON"},
		{"", `{"html":"` + strings.Repeat("x", 20<<20) + `"}`, 413, "larger than"},
	} {
		sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy(proxyTarget(row.csp)).Header().Get("Location"), "/"))
		w := handIn(s, sandbox, row.body)
		if w.Code != row.code || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%s, %.100s: %d %.300s", row.csp, row.body, w.Code, w.Body)
		}
		v, _ := sandbox.Version()
		if ran := v.Files.Len() > 0; ran != (row.code == 200) {
			t.Errorf("%s, %.100s: the app is there: %v", row.csp, row.body, ran)
		}
		// A refused app may be handed in again. An accepted one may not.
		again, want := handIn(s, sandbox, `{"html":"<p>y</p>"}`), http.StatusOK
		if row.code == 200 {
			want = http.StatusConflict
		}
		if again.Code != want {
			t.Errorf("%s, %.100s: the second time %d %s", row.csp, row.body, again.Code, again.Body)
		}
	}
	none, err := s.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	ordinary, err := s.Create(Spec{Files: none})
	if err != nil {
		t.Fatal(err)
	}
	if w := handIn(s, ordinary, `{"html":"<p>x</p>"}`); w.Code != http.StatusNotFound {
		t.Errorf("an ordinary sandbox takes an app: %d", w.Code)
	}
}
