package server

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
)

// An app that is handed in beforehand has its origin, its policy, and its host. No message can
// hand in another app.
func TestCreateApp(t *testing.T) {
	t.Parallel()
	s := newKeyedProxy(t, 1)
	resource := mcpapps.Resource{HTML: "<p>x</p>", CSP: &mcpapps.CSP{ConnectDomains: []string{"https://a.example", "*"}}, Sandbox: "allow-popups"}
	for _, domain := range []string{"", "a"} {
		sandbox, grant, err := s.CreateApp(t.Context(), AppSpec{Host: mcpHost, Domain: domain, App: resource})
		if err != nil {
			t.Fatal(err)
		}
		if lasts := sandbox.ID() == s.config.appID(mcpHost, domain); lasts != (domain != "") {
			t.Errorf("%q: the id is %s", domain, sandbox.ID())
		}
		if got := sandbox.embedders(); !slices.Equal(got, []string{mcpHost}) {
			t.Errorf("%q: these may speak to the app: %q", domain, got)
		}
		if got := grant.Sandbox.CSP.ConnectDomains; !slices.Equal(got, []string{"https://a.example"}) || len(grant.Told) != 2 {
			t.Errorf("%q: the app is granted %+v", domain, grant)
		}
		v, _ := sandbox.Version()
		if v.Files.Len() != 1 || len(v.Grants.Permissions) != 0 {
			t.Errorf("%q: it has %d files and %v", domain, v.Files.Len(), v.Grants)
		}
		if w := handIn(s, sandbox, `{"html":"<p>y</p>"}`); w.Code != http.StatusConflict {
			t.Errorf("%q: another app is handed in: %d", domain, w.Code)
		}
		// The app's outer frame has no address at which an app could be handed in.
		r := httptest.NewRequest(http.MethodGet, sandbox.OuterURL(), nil)
		r.Header.Set("Sec-Fetch-Dest", "iframe")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"app":"","host":"`+mcpHost+`"`) {
			t.Errorf("%q: the outer frame has %s", domain, w.Body)
		}
	}
	// A page shows the origin, or soon will. So the next app gets a new origin, for the same
	// host.
	sandbox, grant, err := s.CreateApp(t.Context(), AppSpec{Host: mcpHost, Domain: "a", App: resource})
	if err != nil || len(grant.Told) != 3 || !strings.Contains(grant.Told[0], "another view of this app") || !slices.Equal(sandbox.embedders(), []string{mcpHost}) {
		t.Errorf("a second app of the domain: %+v, %v", grant, err)
	}
}

// An invalid app makes no sandbox.
func TestCreateAppRefuses(t *testing.T) {
	t.Parallel()
	s := newKeyedProxy(t, 1)
	good := mcpapps.Resource{HTML: "<p>x</p>"}
	for _, row := range []struct {
		spec        AppSpec
		field, says string
	}{
		{AppSpec{Host: "", App: good}, "host", "not the origin of an embedder"},
		{AppSpec{Host: mcpHost + "/", App: good}, "host", "not the origin of an embedder"},
		{AppSpec{Host: "http://evil.example", App: good}, "host", "not the origin of an embedder"},
		{AppSpec{Host: mcpHost, Domain: strings.Repeat("a", longestDomain+1), App: good}, "domain", "at most 512"},
		{AppSpec{Host: mcpHost, App: mcpapps.Resource{HTML: " \n"}}, "app/html", "is empty"},
		{AppSpec{Host: mcpHost, App: mcpapps.Resource{HTML: "\xff"}}, "app/html", "UTF-8"},
		{AppSpec{Host: mcpHost, App: mcpapps.Resource{HTML: string(bytes.Repeat([]byte("x"), 20<<20))}}, "app/html", "at most 15728640"},
	} {
		_, _, err := s.CreateApp(t.Context(), row.spec)
		if refused, ok := errors.AsType[*SpecError](err); !ok || refused.Field != row.field || !strings.Contains(refused.Reason, row.says) {
			t.Errorf("%.50s: %v, want %s: %s", row.spec.App.HTML, err, row.field, row.says)
		}
	}
	if n := len(s.Sandboxes()); n != 0 {
		t.Errorf("there are %d sandboxes", n)
	}
	plain, err := New(Config{Embedders: []string{mcpHost}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(plain.Close)
	if _, _, err := plain.CreateApp(t.Context(), AppSpec{Host: mcpHost, App: good}); !errors.Is(err, ErrNoMCPApps) {
		t.Errorf("a server that is no proxy: %v", err)
	}
}
