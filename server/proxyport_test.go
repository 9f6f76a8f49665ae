package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
)

// The proxy's port redirects frames of its paths, at names of this machine, and serves nothing
// else.
func TestProxyPort(t *testing.T) {
	t.Parallel()
	s, err := New(Config{MCPApps: &mcpapps.Options{}, MCPPort: 8081})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	const to = "http://sandbox.localhost:3333"
	for _, row := range []struct {
		method, host, target, destination string
		code                              int
		says                              string // the Location, or a part of the body
	}{
		{"GET", "localhost:8081", "/sandbox.html?csp=%7B%7D&domain=a%20b", "iframe", 303, to + "/sandbox.html?csp=%7B%7D&domain=a%20b"},
		{"GET", "127.0.0.1:8081", "/", "iframe", 303, to + "/"},
		{"GET", "127.9.9.9:8081", "/", "frame", 303, to + "/"},
		{"GET", "[::1]:8081", "/api/apps/mcp-apps/sandbox-proxy?v=1", "iframe", 303, to + "/api/apps/mcp-apps/sandbox-proxy?v=1"},
		{"GET", "sandbox.localhost:8081", "/api/web/apps/mcp-apps/sandbox-proxy", "iframe", 303, to + "/api/web/apps/mcp-apps/sandbox-proxy"},
		{"GET", "LOCALHOST:8081", "/sandbox.html", "iframe", 303, to + "/sandbox.html"},
		{"GET", "localhost:8081", "/sandbox.html", "document", 403, "tab"},
		{"GET", "localhost:8081", "/sandbox.html", "empty", 403, "not-a-frame"},
		{"GET", "localhost:8081", "/sandbox.html", "", 403, "not-a-frame"},
		{"POST", "localhost:8081", "/sandbox.html", "iframe", 405, "method-not-allowed"},
		{"GET", "localhost:8081", "/healthz", "iframe", 404, "not-found"},
		{"GET", "localhost:8081", "/api/v1/sandboxes", "empty", 404, "not-found"},
		{"GET", "localhost:8081", "/bellglass.js", "script", 404, "not-found"},
		{"GET", "localhost:8081", "//evil.example/", "iframe", 404, "not-found"},
		{"GET", "localhost:8081", "/sandbox%2Ehtml", "iframe", 404, "not-found"},
		{"GET", "evil.example:8081", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", "localhost.evil.example:8081", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", "10.0.0.1:8081", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", "localhost", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", "localhost.:8081", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", ":8081", "/sandbox.html", "iframe", 421, "unknown-host"},
		{"GET", "a@localhost:8081", "/sandbox.html", "iframe", 421, "unknown-host"},
	} {
		r := httptest.NewRequest(row.method, row.target, nil)
		r.Host = row.host
		r.Header.Set("Sec-Fetch-Dest", row.destination)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		said := w.Body.String()
		if row.code == http.StatusSeeOther {
			said = w.Header().Get("Location")
		}
		if w.Code != row.code || !strings.Contains(said, row.says) || row.code == http.StatusSeeOther && said != row.says {
			t.Errorf("%s %s %s %q: %d %s", row.method, row.host, row.target, row.destination, w.Code, said)
		}
		// The proxy must learn which page frames it.
		if policy, redirected := w.Header().Get("Referrer-Policy"), row.code == http.StatusSeeOther; (policy == "") != redirected {
			t.Errorf("%s %s: Referrer-Policy is %q", row.host, row.target, policy)
		}
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s: the policy is %q", row.host, row.target, w.Header().Get("Content-Security-Policy"))
		}
	}
	if !s.Owns("127.0.0.1:8081") || s.Owns("localhost:3333") || s.Owns("evil.example:8081") {
		t.Error("the server does not know its own hosts")
	}
	if n := len(s.Sandboxes()); n != 0 {
		t.Errorf("the redirects have made %d sandboxes", n)
	}
}

// An impossible configuration of the proxy is an error.
func TestProxyConfig(t *testing.T) {
	t.Parallel()
	apps := &mcpapps.Options{}
	for says, config := range map[string]Config{
		"with MCPApps":                {MCPPort: 8081},
		"are for a server":            {MCPKey: make([]byte, 32)},
		"the public URL's own":        {MCPApps: apps, MCPPort: 3333},
		"between 1 and 65535":         {MCPApps: apps, MCPPort: 70_000},
		"-1 of the MCP Apps proxy is": {MCPApps: apps, MCPPort: -1},
		"has 16 bytes":                {MCPApps: apps, MCPKey: make([]byte, 16)},
		"has 0 bytes":                 {MCPApps: apps, MCPKey: []byte{}},
		"the MCP Apps proxy's own":    {MCPApps: apps, MCPPort: 8081, Embedders: []string{"http://localhost:8081"}},
		"a sandbox's or the MCP Apps": {MCPApps: apps, Embedders: []string{"http://sandbox.localhost:3333"}},
	} {
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", config, err, says)
		}
	}
}
