package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/rules"
)

func TestToolPage(t *testing.T) {
	t.Parallel()
	const client = "http://localhost:8080"
	with, err := New(Config{Embedders: []string{client}, BTCP: &btcp.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(with.Close)
	without, err := New(Config{Embedders: []string{client}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(without.Close)
	for _, row := range []struct {
		name, destination, site string
		server                  *Server
		status                  int
		says                    string
	}{
		{"a frame", "iframe", "cross-site", with, http.StatusSeeOther, ""},
		{"a tab", "document", "none", with, http.StatusForbidden, "tab"},
		{"no frame", "empty", "cross-site", with, http.StatusForbidden, "not-a-frame"},
		{"a page of the same origin", "iframe", "same-origin", with, http.StatusForbidden, "shared-origin"},
		{"a server that takes none", "iframe", "cross-site", without, http.StatusNotFound, "unknown-sandbox"},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://sandbox.localhost:3333/btcp.html", nil)
		r.Header.Set("Sec-Fetch-Dest", row.destination)
		r.Header.Set("Sec-Fetch-Site", row.site)
		w := httptest.NewRecorder()
		row.server.ServeHTTP(w, r)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%s gets %d: %s", row.name, w.Code, w.Body)
		}
	}
	if sandboxes := with.Sandboxes(); len(sandboxes) != 1 {
		t.Errorf("there are %d sandboxes, want one of the one frame", len(sandboxes))
	}
	if with.ToolsURL() != "http://sandbox.localhost:3333/btcp.html" || without.ToolsURL() != "" {
		t.Errorf("the addresses are %q and %q", with.ToolsURL(), without.ToolsURL())
	}
}

// A sandbox that is not for tools accepts no calls.
func TestToolsAreOfTheirSandbox(t *testing.T) {
	_, other := serverWith(t, Config{BTCP: &btcp.Options{}})
	r := httptest.NewRequest(http.MethodPost, other.OuterURL()+"/tools?token="+other.token, strings.NewReader(`{"call":"a","message":{"id":1,"type":"execute","toolCode":"return 1"}}`))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	other.server.ServeHTTP(w, r)
	if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "not accept tool calls") {
		t.Errorf("it gets %d: %s", w.Code, w.Body)
	}
}

// A server does not start with a policy under which no tool can run.
func TestToolsNeedEval(t *testing.T) {
	policy, err := rules.Parse("tools.yaml", []byte("version: 1\nscripts: [inline]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{BTCP: &btcp.Options{Policy: policy}}); err == nil || !strings.Contains(err.Error(), "add eval") {
		t.Errorf("it begins: %v", err)
	}
}
