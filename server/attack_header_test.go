package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// Input from the configuration, a policy, a name, or a file is rejected, or leaves the headers
// as they are.

// injections are texts that could begin another header, directive, policy, source, or list, or
// another page.
var injections = []string{
	"\r\nX-Evil: 1", "\nX-Evil: 1", "\r", "\x00", "\t", "\x7f", "\x85", "\u2028", "é", "İ", "\xff", " ", ";", "; script-src *", ",", ", default-src *",
	"'", "'unsafe-inline'", `"`, `" "*://*:*`, "*", "*.", `\`, "(", ")", "<", ">", "</script>", "{{.}}", "%3b", "%0d%0aX-Evil:%201", "&", "=", "$", "`", "|", "!",
}

func TestConfigurationCannotInject(t *testing.T) {
	refused := func(what string, config Config) {
		t.Helper()
		if _, err := New(config); err == nil {
			t.Errorf("%s is accepted", what)
		} else if strings.ContainsAny(err.Error(), "\r\n\x00\x7f") {
			t.Errorf("%s: the error has the raw characters: %q", what, err)
		}
	}
	for _, bad := range injections {
		for _, place := range []string{bad + "docs.example.com", "docs" + bad + ".example.com", "docs.example.com" + bad} {
			refused(fmt.Sprintf("the outer host %q", place), Config{OuterHost: place})
			refused(fmt.Sprintf("the inner host {id}.%q", place), Config{InnerHost: "{id}." + place})
			refused(fmt.Sprintf("the inner host {id}%q", place), Config{InnerHost: "{id}" + bad + ".example.com"})
			refused(fmt.Sprintf("the embedder https://%q", place), Config{Embedders: []string{"https://" + place}})
			refused(fmt.Sprintf("the embedder https://%q:8443", place), Config{Embedders: []string{"https://" + place + ":8443"}})
		}
		refused(fmt.Sprintf("the embedder's port 8443%q", bad), Config{Embedders: []string{"https://docs.example.com:8443" + bad}})
	}
	for _, embedder := range []string{
		"*", "null", "'self'", "'none'", "https:", "https://", "https://*", "data:", "https://a.example/", "https://a.example?x", "https://a.example#x",
		"https://user@a.example", "https://a.example@b.example", "HTTPS://a.example", "https://A.example", "https://a.example:443", "http://a.example:80",
		"https://a.example:0", "https://a.example:08443", "https://a.example:65536", "https://a.example:", "https://a.example.", "https://.a.example",
		"https://a..example", "http://127.1", "http://2130706433", "http://0x7f.0.0.1", "http://127.0.0.1.5", "https://münchen.example", "https://[::1]",
		"ftp://a.example", "javascript://a.example", "https://a.example https://b.example", "https://" + strings.Repeat("a", 64) + ".example",
		"https://" + strings.Repeat("a.", 127) + "aa",
		// Our own origins do not embed.
		"http://sandbox.localhost:3333", "http://" + strings.Repeat("a", idLength) + ".sandbox.localhost:3333",
	} {
		refused(fmt.Sprintf("the embedder %q", embedder), Config{Embedders: []string{embedder}})
	}
	for _, outer := range []string{"Sandbox.localhost", "sandbox.localhost.", ".localhost", "127.1", "[::1]", "localhost", "127.0.0.1", "a.b.1"} {
		refused(fmt.Sprintf("the outer host %q", outer), Config{OuterHost: outer})
	}
	for _, inner := range []string{"{id}.Sandbox.localhost", "{id}.sandbox.localhost.", "{id}.", "{id}..localhost", "{id}.127.0.0.1", strings.Repeat("a", 38) + "{id}.localhost"} {
		refused(fmt.Sprintf("the inner host %q", inner), Config{InnerHost: inner})
	}

	// The control: similar names that are valid, and stand in the headers unchanged.
	s, sandbox := serverWith(t, Config{PublicURL: "https://localhost:3333", AllowSharedDomain: true, OuterHost: "outer_frame.example.com", InnerHost: strings.Repeat("a", 37) + "{id}.example.com", Embedders: []string{
		"https://docs.example.com", "http://docs.example.com:8443", "https://xn--mnchen-3ya.example", "http://192.168.0.1:8080", "https://a.example:80", "http://a.example:443", "https://sandbox.localhost",
	}})
	csp := ask(t, s, "GET", "outer_frame.example.com:3333", "/"+sandbox.ID(), http.Header{"Sec-Fetch-Dest": {"iframe"}}).header.Get("Content-Security-Policy")
	want := "; frame-ancestors https://localhost:3333 https://127.0.0.1:3333 https://docs.example.com http://docs.example.com:8443 https://xn--mnchen-3ya.example http://192.168.0.1:8080 https://a.example:80 http://a.example:443 https://sandbox.localhost"
	if !strings.HasSuffix(csp, want) || !strings.Contains(csp, "frame-src https://"+strings.Repeat("a", 37)+sandbox.ID()+".example.com:3333;") {
		t.Errorf("the policy is %q, want %q at its end", csp, want)
	}
}

// Names, versions, entries, file names, and the words of a policy get into no header. They get
// into a page only as text.
func TestWordsCannotInject(t *testing.T) {
	s, err := New(Config{Version: strings.Join(injections, "") + "</script><script>evil()</script>"})
	if err != nil {
		t.Fatal(err)
	}
	control, plain := newTestServer(t)
	tried := 0
	for _, bad := range injections {
		files := map[string][]byte{"/index.html": []byte("x")}
		name := "/a" + bad + ".html"
		if vfs.CheckPath(name, vfs.DefaultLimits()) == nil {
			files[name] = []byte("x")
		}
		snapshot, err := s.Store().Snapshot(files, vfs.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		policy, err := rules.Parse("rules"+bad+".yaml", []byte(fmt.Sprintf("version: 1\nrules:\n  - id: a\n    allow: https://api.example.com\n    reason: %q\n", strings.ToValidUTF8("a"+bad, ""))))
		if err != nil {
			policy = nil // this reason is rejected; the rest is still tried
		}
		sandbox, err := s.Create(Spec{Name: bad + "</title><script>evil()</script>", Files: snapshot, Policy: policy, Entry: "/" + bad + "</script><script>evil()</script>"})
		if err != nil {
			continue // rejected
		}
		tried++
		// The same rule with other words.
		if policy != nil {
			if policy, err = rules.Parse("rules.yaml", []byte("version: 1\nrules:\n  - id: a\n    allow: https://api.example.com\n")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := plain.SetPolicy(policy); err != nil {
			t.Fatal(err)
		}
		for host, paths := range routes(s, sandbox) {
			for i, path := range paths {
				if strings.Contains(path, "/events") || strings.HasSuffix(path, "/changes") {
					continue
				}
				header := http.Header{"Sec-Fetch-Dest": {"iframe"}, "Sec-Fetch-Site": {"same-origin"}, "Bellglass-Secret": {sandbox.secret}, "Bellglass-Key": {sandbox.key}}
				got := ask(t, s, "GET", host, path, header)
				header.Set("Bellglass-Secret", plain.secret)
				header.Set("Bellglass-Key", plain.key)
				other := strings.NewReplacer(sandbox.ID(), plain.ID())
				want := ask(t, control, "GET", other.Replace(host), routes(control, plain)[other.Replace(host)][i], header)
				if diff := differ(got.header, want.header, other); diff != "" {
					t.Errorf("with %q, %s%s: %s", bad, host, path, diff)
				}
				if strings.Contains(got.body, "<script>evil") || strings.Contains(got.body, "</script><script>") || strings.Contains(got.body, "</title><script>") {
					t.Errorf("with %q, %s%s: the page is %q", bad, host, path, got.body)
				}
			}
		}
	}
	if tried < len(injections)/2 {
		t.Errorf("only %d of %d were accepted, so hardly anything was tried", tried, len(injections))
	}
}

// differ says where two header sets differ. It ignores the sandbox's id and what depends on
// the body.
func differ(got, want http.Header, replace *strings.Replacer) string {
	for _, name := range slices.Concat(keys(got), keys(want)) {
		if name == "Content-Length" {
			continue
		}
		var a []string
		for _, value := range got[name] {
			a = append(a, replace.Replace(value))
		}
		if !slices.Equal(a, want[name]) {
			return fmt.Sprintf("%s is %q, and without it %q", name, a, want[name])
		}
	}
	return ""
}

func keys(h http.Header) (names []string) {
	for name := range h {
		names = append(names, name)
	}
	return names
}

// A page of another origin can send requests and forms. But they have no effect, and the page
// cannot read the answers.
func TestForeignPagesCannotAct(t *testing.T) {
	s, sandbox := newTestServer(t)
	before := s.Sandbox(sandbox.ID()).Revision()
	for host, paths := range routes(s, sandbox) {
		for _, path := range paths {
			for _, origin := range []string{"http://evil.test", "null", "http://localhost:4444", "http://localhost.evil.test:3333", sandbox.URL(), s.outerOrigin} {
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"} {
					for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"} {
						for _, site := range []string{"", "cross-site", "same-site", "none"} {
							r := httptest.NewRequest(method, "/", strings.NewReader(`{"dropped":1,"page":[],"outer":[]}`))
							r.Host, r.RequestURI = host, path
							r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
							r.Header.Set("Origin", origin)
							set(r.Header, "Sec-Fetch-Dest", "empty")
							set(r.Header, "Sec-Fetch-Site", site)
							set(r.Header, "Content-Type", kind)
							if method == "OPTIONS" {
								r.Header.Set("Access-Control-Request-Method", "PUT")
								r.Header.Set("Access-Control-Request-Headers", "bellglass-secret")
								r.Header.Set("Access-Control-Request-Private-Network", "true")
							}
							got := serveOn(s, r)
							what := fmt.Sprintf("%s %s%s from %s (%s, %s)", method, host, path, origin, site, kind)
							if err := policed(got.header); err != nil {
								t.Fatalf("%s: %v", what, err)
							}
							// A preflight whose answer allows nothing is refused (Fetch,
							// section 4.8).
							refused := got.status >= 400 || method == "OPTIONS" && got.status == http.StatusNoContent
							if method != "GET" && method != "HEAD" && !refused {
								t.Fatalf("%s: status %d", what, got.status)
							}
							if strings.Contains(path, "token=") && got.status != http.StatusForbidden && got.status != http.StatusMethodNotAllowed && method != "OPTIONS" {
								t.Fatalf("%s with the right token: status %d", what, got.status)
							}
						}
					}
				}
			}
		}
	}
	if events := logged(sandbox, 0); len(events) != 1 || sandbox.Revision() != before {
		t.Errorf("the log has %d events, want only that the sandbox was created; revision %d", len(events), sandbox.Revision())
	}
	// The control: the outer frame itself.
	r := httptest.NewRequest("POST", "/"+sandbox.ID()+"/reports?token="+sandbox.token, strings.NewReader(`{"dropped":1,"page":[],"outer":[]}`))
	r.Host = strings.TrimPrefix(s.outerOrigin, "http://")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if got := serveOn(s, r); got.status != http.StatusNoContent {
		t.Errorf("the outer frame's own report: %+v", got)
	}
	if events := logged(sandbox, 0); len(events) != 2 {
		t.Errorf("the log has %d events after the outer frame's report", len(events))
	}
}

func set(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}
