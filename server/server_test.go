package server

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

func newTestServer(t testing.TB) (*Server, *Sandbox) {
	t.Helper()
	return serverWith(t, Config{})
}

func serverWith(t testing.TB, config Config) (*Server, *Sandbox) {
	t.Helper()
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	files, err := s.Store().Snapshot(map[string][]byte{"/index.html": []byte("x")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := s.Create(Spec{Name: "test", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return s, sandbox
}

// A handler that fails or panics still answers with the policies of its class, and reveals
// nothing internal.
func TestFailingHandlersCarryPolicies(t *testing.T) {
	s, sandbox := newTestServer(t)
	const failing, panicking = protocol.Prefix + "failing", protocol.Prefix + "panicking"
	for _, where := range []hostKind{innerHost, outerHost, pageHost} {
		t := s.tables[where]
		t.rows = append([]route{
			{path: "/{any}" + failing, handle: func(echo.Context) error { return errors.New("private detail") }},
			{path: "/{any}" + panicking, handle: func(echo.Context) error { panic("private detail") }},
		}, t.rows...)
	}
	for _, origin := range []string{sandbox.URL() + "/x", sandbox.OuterURL(), "http://localhost:3333/" + sandbox.ID()} {
		for _, path := range []string{failing, panicking} {
			r := httptest.NewRequest("GET", origin+path, nil)
			r.Header.Set("Sec-Fetch-Dest", "empty")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != http.StatusInternalServerError {
				t.Errorf("%s%s: status %d", origin, path, w.Code)
			}
			for _, name := range []string{"Content-Security-Policy", "Connection-Allowlist", "Permissions-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
				if w.Header().Get(name) == "" {
					t.Errorf("%s%s: no %s", origin, path, name)
				}
			}
			if strings.Contains(w.Body.String(), "private") {
				t.Errorf("%s%s tells %q", origin, path, w.Body)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	id := strings.Repeat("a2", idLength/2)
	shared := Config{}
	own := Config{PublicURL: "http://localhost", InnerHost: "{id}.localhost", OuterHost: "sandbox.localhost"}
	prefixed := Config{PublicURL: "https://glass.example.com:8080", InnerHost: "box-{id}.example.net", OuterHost: "outer.example.net"}
	for _, c := range []*Config{&shared, &own, &prefixed} {
		if err := c.setDefaults(); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		config *Config
		host   string
		where  hostKind
		id     string
	}{
		{&shared, "localhost:3333", pageHost, ""},
		{&shared, "LOCALHOST:3333", pageHost, ""},
		{&shared, "127.0.0.1:3333", pageHost, ""},
		{&shared, "[::1]:3333", hostAlias, ""},
		{&shared, "sandbox.localhost:3333", outerHost, ""},
		{&shared, id + ".sandbox.localhost:3333", innerHost, id},
		{&shared, strings.ToUpper(id) + ".sandbox.localhost:3333", innerHost, id},
		{&own, "localhost", pageHost, ""},
		{&own, "sandbox.localhost", outerHost, ""},
		{&own, id + ".localhost", innerHost, id},
		{&prefixed, "box-" + id + ".example.net:8080", innerHost, id},
		{&prefixed, "outer.example.net:8080", outerHost, ""},

		{&shared, "", unknownHost, ""},
		{&shared, "localhost", unknownHost, ""},
		{&shared, "localhost:3334", unknownHost, ""},
		{&shared, "localhost.:3333", unknownHost, ""},
		{&shared, "evil.test:3333", unknownHost, ""},
		{&shared, id + ".sandbox.localhost", unknownHost, ""},
		{&shared, id + ".sandbox.localhost.evil.test:3333", unknownHost, ""},
		{&shared, "x." + id + ".sandbox.localhost:3333", unknownHost, ""},
		{&shared, id + "x.sandbox.localhost:3333", unknownHost, ""},
		{&shared, id[1:] + ".sandbox.localhost:3333", unknownHost, ""},
		{&shared, "0" + id[1:] + ".sandbox.localhost:3333", unknownHost, ""},
		{&shared, ".sandbox.localhost:3333", unknownHost, ""},
		{&own, "localhost:80", unknownHost, ""},
		{&prefixed, id + ".example.net:8080", unknownHost, ""},
	} {
		where, found := row.config.lookup(row.host)
		if where != row.where || found != row.id {
			t.Errorf("%q is %d %q, want %d %q", row.host, where, found, row.where, row.id)
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	for what, config := range map[string]Config{
		"no id":                   {InnerHost: "sandbox.localhost"},
		"id not in first label":   {InnerHost: "sandbox.{id}.localhost"},
		"two ids":                 {InnerHost: "{id}{id}.localhost"},
		"id alone":                {InnerHost: "{id}"},
		"outer is host":           {OuterHost: "localhost"},
		"outer with port":         {OuterHost: "sandbox.localhost:80"},
		"embedder with path":      {Embedders: []string{"https://a.example/x"}},
		"embedder without scheme": {Embedders: []string{"a.example"}},
		"embedder wildcard":       {Embedders: []string{"https://*.example"}},
		"embedder that ends CSP":  {Embedders: []string{"https://a.example;script-src"}},
		"embedder by IPv6":        {Embedders: []string{"http://[::1]:8080"}},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

func TestEmbeddersAreExpanded(t *testing.T) {
	c := Config{Embedders: []string{"https://docs.example.com", "http://localhost:8000"}}
	if err := c.setDefaults(); err != nil {
		t.Fatal(err)
	}
	got, err := c.embedders()
	if err != nil {
		t.Fatal(err)
	}
	want := "http://localhost:3333 http://127.0.0.1:3333 https://docs.example.com http://localhost:8000 http://127.0.0.1:8000"
	if strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestListenRefusesAPortInUse(t *testing.T) {
	first, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	addr := first.list[0].Addr().String()
	if second, err := Listen(addr); err == nil {
		second.Close()
		t.Error("a port in use was opened")
	} else if !strings.Contains(err.Error(), "in use") || !strings.Contains(err.Error(), addr) {
		t.Errorf("the error is %q", err)
	}
	for _, bad := range []string{"", "3333", "localhost", "127.0.0.1:x", "127.0.0.1:70000"} {
		if l, err := Listen(bad); err == nil {
			l.Close()
			t.Errorf("%q was opened", bad)
		}
	}
}

func TestHashedPagesAreRendered(t *testing.T) {
	s, sandbox := newTestServer(t)
	for url, destination := range map[string]string{
		"http://localhost:3333/": "document", sandbox.OuterURL(): "iframe", sandbox.URL() + protocol.BootPath: "iframe",
	} {
		r := httptest.NewRequest("GET", url, nil)
		r.Header.Set("Sec-Fetch-Dest", destination)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || !strings.Contains(policy, "script-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: status %d, policy %q", url, w.Code, policy)
		}
		if strings.Contains(w.Body.String(), `":null`) {
			t.Errorf("%s: the page's data has a null, and its script takes none: %s", url, w.Body)
		}
	}
}
