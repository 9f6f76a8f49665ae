package server

import (
	"fmt"
	"strings"
	"testing"
)

// All origins derive from the public URL and the two host names.
func TestOrigins(t *testing.T) {
	for _, row := range []struct {
		config Config
		want   string // the host page's, the outer, and the inner origin, and the embedders; or a part of the error
	}{
		{Config{}, "http://localhost:3333 http://sandbox.localhost:3333 http://{id}.sandbox.localhost:3333 [http://localhost:3333 http://127.0.0.1:3333]"},
		{Config{PublicURL: "http://localhost:8080/"}, "http://localhost:8080 http://sandbox.localhost:8080 http://{id}.sandbox.localhost:8080 [http://localhost:8080 http://127.0.0.1:8080]"},
		{Config{PublicURL: "http://127.0.0.1"}, "http://127.0.0.1 http://sandbox.localhost http://{id}.sandbox.localhost [http://127.0.0.1 http://localhost]"},
		{Config{PublicURL: "https://localhost", InnerHost: "{id}.localhost"}, "https://localhost https://sandbox.localhost https://{id}.localhost [https://localhost https://127.0.0.1]"},
		{Config{PublicURL: "http://glass.localhost:8080"}, "http://glass.localhost:8080 http://sandbox.localhost:8080 http://{id}.sandbox.localhost:8080 [http://glass.localhost:8080]"},
		{Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.sandbox.example.net", Embedders: []string{"https://docs.example.com:8443"}},
			"https://glass.example.com https://sandbox.example.net https://{id}.sandbox.example.net [https://glass.example.com https://docs.example.com:8443]"},

		{Config{PublicURL: "https://glass.example.com"}, "--outer-host"},
		{Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net"}, "--inner-host"},
		{Config{PublicURL: "http://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.sandbox.example.net"}, "browsers run no service worker at glass.example.com"},
		{Config{OuterHost: "sandbox.example.net"}, "browsers run no service worker at sandbox.example.net"},
		{Config{InnerHost: "{id}.sandbox.example.net"}, "browsers run no service worker at id.sandbox.example.net"},
		{Config{PublicURL: "https://glass.example.com", OuterHost: "glass.example.com", InnerHost: "{id}.example.net"}, "the host page's own"},
		{Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.com", InnerHost: "{id}.example.net"}, "share the registrable domain example.com"},
		{Config{PublicURL: "https://sandbox.localhost:3333"}, "the host page's own"},
		{Config{PublicURL: "localhost:3333"}, "is not an origin such as https://"},
		{Config{PublicURL: "https://glass.example.com/app"}, "is not an origin"},
		{Config{PublicURL: "https://glass.example.com:443"}, "browsers leave out :443"},
		{Config{PublicURL: "https://Glass.example.com"}, "upper-case"},
		{Config{PublicURL: "http://[::1]:3333"}, "open that page by a host name"},
		{Config{PublicURL: "ftp://glass.example.com"}, "http or https"},
		{Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.example.net", SelfTest: true}, "--no-selftest"},
	} {
		origins, err := row.config.Origins()
		got := fmt.Sprint(origins.Page, " ", origins.Outer, " ", origins.Inner, " ", origins.Embedders)
		if err != nil {
			got = err.Error()
		}
		if got != row.want && (err == nil || !strings.Contains(got, row.want)) {
			t.Errorf("%+v\ngives %s\nwant  %s", row.config, got, row.want)
		}
	}
}

// If other machines can reach the host page, it reveals nothing without a token.
func TestSignIn(t *testing.T) {
	s, sandbox := serverWith(t, Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.sandbox.example.net", Tokens: []string{"token-0123456789"}})
	const host = "glass.example.com"
	secret := sandbox.ID()
	token := func(token string) map[string][]string {
		return map[string][]string{"Authorization": {"Bearer " + token}}
	}
	for _, row := range []struct {
		path   string
		header map[string][]string
		status int
		says   string
		tells  bool // the response names the sandbox
	}{
		{"/", nil, 200, `"signIn":true`, false},
		{"/sandboxes/" + secret, nil, 200, `"signIn":true`, false},
		{"/sandboxes/" + strings.Repeat("a", idLength), nil, 200, `"signIn":true`, false},
		{"/sandboxes/" + secret + "/x", nil, 404, "Bellglass: ", false},
		{"/page-data", nil, 401, "unauthorized", false},
		{"/sandboxes/" + secret + "/page-data", nil, 401, "unauthorized", false},
		{"/sandboxes/" + secret + "/page-data", token("wrong-0123456789"), 401, "unauthorized", false},
		{"/metrics", nil, 401, "unauthorized", false},
		{"/healthz", nil, 200, `{"status":"ok"}`, false},

		{"/page-data", token(s.Token()), 200, `"outerUrl":"https://sandbox.example.net/` + secret, true},
		{"/page-data", token("token-0123456789"), 200, `"outerUrl":"https://sandbox.example.net/` + secret, true},
		{"/sandboxes/" + secret + "/page-data", token(s.Token()), 200, `"outerUrl":"https://sandbox.example.net/` + secret, true},
		{"/sandboxes/" + strings.Repeat("a", idLength) + "/page-data", token(s.Token()), 404, "unknown-sandbox", false},
		{"/metrics", token(s.Token()), 200, "bellglass_sandboxes 1", false},
		{"/healthz", token(s.Token()), 200, `"sandboxes":1`, false},
	} {
		got := ask(t, s, "GET", host, row.path, row.header)
		if got.status != row.status || !strings.Contains(got.body, row.says) || strings.Contains(got.body, secret) != row.tells {
			t.Errorf("%s %v: %d %.400s", row.path, row.header, got.status, got.body)
		}
		checkResponse(t, got)
	}
	page := ask(t, s, "GET", host, "/", map[string][]string{"Sec-Fetch-Site": {"cross-site"}, "Authorization": {"Bearer " + s.Token()}})
	if csp := page.header.Get("Content-Security-Policy"); !strings.Contains(csp, "connect-src 'self'; frame-src https://sandbox.example.net;") {
		t.Errorf("the policy is %q", csp)
	}
	foreign := token(s.Token())
	foreign["Sec-Fetch-Site"] = []string{"cross-site"}
	if got := ask(t, s, "GET", host, "/page-data", foreign); got.status != 403 {
		t.Errorf("a page of another origin gets %d %.200s", got.status, got.body)
	}
	// A server for this machine only has none of this.
	local, sandbox := serverWith(t, Config{})
	if got := ask(t, local, "GET", "localhost:3333", "/", nil); !strings.Contains(got.body, sandbox.ID()) || strings.Contains(got.header.Get("Content-Security-Policy"), "connect-src") {
		t.Errorf("on this machine: %.200s %v", got.body, got.header)
	}
	if got := ask(t, local, "GET", "localhost:3333", "/page-data", token(local.Token())); got.status != 404 {
		t.Errorf("on this machine the data answer %d", got.status)
	}
}
