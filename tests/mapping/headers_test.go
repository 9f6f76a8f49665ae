package mapping

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Every response carries the policies of its class, whatever its status.

// policyHeaders must be on every response, and contain these parts.
var policyHeaders = map[string]string{
	"Content-Security-Policy":      "default-src ",
	"Connection-Allowlist":         "(",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"X-Dns-Prefetch-Control":       "off",
	"Permissions-Policy":           "camera=()",
	"Cross-Origin-Resource-Policy": "same-origin",
}

func checkPolicies(t *testing.T, what string, header http.Header) {
	t.Helper()
	for name, part := range policyHeaders {
		if values := header.Values(name); len(values) != 1 || !strings.Contains(values[0], part) {
			t.Errorf("%s: %s is %q, want one value with %q", what, name, values, part)
		}
	}
	// Every page except the outer page sends Origin-Agent-Cluster. The outer page alone frames
	// a sandbox and is framed itself.
	csp := header.Get("Content-Security-Policy")
	outer := strings.Contains(csp, "frame-src http://") && !strings.Contains(csp, "frame-ancestors 'none'")
	want := []string{"?1"}
	if outer {
		want = nil
	}
	if values := header.Values("Origin-Agent-Cluster"); !slices.Equal(values, want) {
		t.Errorf("%s: Origin-Agent-Cluster is %q, want %q", what, values, want)
	}
	if cookies := header.Values("Set-Cookie"); len(cookies) > 0 {
		t.Errorf("%s sets a cookie: %q", what, cookies)
	}
}

func TestServerResponsesCarryPolicies(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "x", "/big.bin": strings.Repeat("0123456789", 20_000)}, glass.BlockAll)
	withoutWorker := g.NewSandbox(t, map[string]string{"/index.html": "x"}, "version: 1\nworker: preferred\n")
	script := glass.Body(t, g.Request(t, "GET", sandbox.URL()+"/.bellglass/sw.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, nil))
	secret := http.Header{"Bellglass-Secret": {glass.Between(t, script, `"secret":"`, `"`)}, "Bellglass-Key": {glass.Between(t, script, `"key":"`, `"`)}}
	hash := fileHash(t, g, sandbox.URL(), secret, "/big.bin")
	with := func(name, value string) http.Header {
		h := secret.Clone()
		h.Set(name, value)
		return h
	}
	inner, host, outer := sandbox.URL(), fmt.Sprintf("http://localhost:%d", g.Port), sandbox.OuterURL()
	blob := inner + "/.bellglass/blob/" + hash
	for _, row := range []struct {
		what, method, url, destination string
		header                         http.Header
		body                           string
		status                         int
		csp                            string // a part that identifies the class
	}{
		{"worker script", "GET", inner + "/.bellglass/sw.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, "", 200, "default-src 'none'; connect-src 'self'"},
		{"boot page", "GET", inner + "/", "iframe", nil, "", 200, "frame-ancestors 'self' " + fmt.Sprintf("http://sandbox.localhost:%d", g.Port)},
		{"file without a worker", "GET", withoutWorker.URL() + "/", "iframe", nil, "", 200, "default-src 'self'"},
		{"what the outer page's list has", "GET", fmt.Sprintf("http://sandbox.localhost:%d/.bellglass/probe", g.Port), "empty", nil, "", 200, "default-src 'none'"},
		{"what it has not", "GET", fmt.Sprintf("http://sandbox.localhost:%d//unlisted", g.Port), "empty", nil, "", 404, "default-src 'none'"},
		{"a document of no path", "GET", inner + "//x", "iframe", nil, "", 400, "default-src 'none'"},
		{"state", "GET", inner + "/.bellglass/state", "empty", secret, "", 200, "default-src 'none'"},
		{"state not changed", "GET", inner + "/.bellglass/state?have=1", "empty", secret, "", 204, "default-src 'none'"},
		{"content", "GET", blob, "empty", secret, "", 200, "default-src 'none'"},
		{"part of a content", "GET", blob, "empty", with("Range", "bytes=5-9"), "", 206, "default-src 'none'"},
		{"range outside", "GET", blob, "empty", with("Range", "bytes=99999999-"), "", 416, "default-src 'none'"},
		{"content of no file", "GET", inner + "/.bellglass/blob/" + strings.Repeat("0", 64), "empty", secret, "", 404, "default-src 'none'"},
		{"bad hash", "GET", inner + "/.bellglass/blob/x", "empty", secret, "", 400, "default-src 'none'"},
		{"bad verdicts", "POST", inner + "/.bellglass/verdicts", "empty", secret, "{", 400, "default-src 'none'"},
		{"no secret", "GET", inner + "/.bellglass/state", "empty", nil, "", 403, "default-src 'none'"},
		{"file past the worker", "GET", inner + "/index.html", "empty", nil, "", 404, "default-src 'none'"},
		{"method", "DELETE", inner + "/index.html", "empty", nil, "", 405, "default-src 'none'"},
		{"method of an endpoint", "PUT", inner + "/.bellglass/state", "empty", secret, "", 405, "default-src 'none'"},
		{"foreign worker", "GET", inner + "/index.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, "", 403, "default-src 'none'"},
		{"a tab of its own", "GET", inner + "/", "document", nil, "", 403, "default-src 'none'"},
		{"no fetch metadata", "GET", inner + "/", "", nil, "", 403, "default-src 'none'"},
		{"unknown sandbox", "GET", strings.Replace(inner, sandbox.ID(), strings.Repeat("a", 26), 1) + "/", "iframe", nil, "", 404, "default-src 'none'"},
		{"outer", "GET", outer, "iframe", nil, "", 200, "frame-src " + inner + ";"},
		{"outer in a tab", "GET", outer, "document", nil, "", 403, "default-src 'none'"},
		{"outer without token", "GET", outer + "/events", "empty", nil, "", 403, "default-src 'none'"},
		{"outer of no sandbox", "GET", strings.Replace(outer, sandbox.ID(), strings.Repeat("a", 26), 1), "iframe", nil, "", 404, "default-src 'none'"},
		{"host page", "GET", host + "/", "document", nil, "", 200, "frame-ancestors 'none'"},
		{"host page of a sandbox", "GET", host + "/sandboxes/" + sandbox.ID(), "document", nil, "", 200, "frame-src " + fmt.Sprintf("http://sandbox.localhost:%d", g.Port)},
		{"nothing on the host", "GET", host + "/nothing", "document", nil, "", 404, "default-src 'none'"},
		{"foreign host", "GET", host + "/", "document", http.Header{"Host": {"evil.test"}}, "", 421, "default-src 'none'"},
	} {
		t.Run(row.what, func(t *testing.T) {
			response := g.Request(t, row.method, row.url, row.destination, row.header, []byte(row.body))
			if response.StatusCode != row.status {
				t.Errorf("status %d, want %d: %s", response.StatusCode, row.status, glass.Body(t, response))
			}
			checkPolicies(t, row.what, response.Header)
			if got := response.Header.Get("Content-Security-Policy"); !strings.Contains(got, row.csp) {
				t.Errorf("the policy is %q, want %q in it", got, row.csp)
			}
		})
	}
}

// The worker's own responses carry exactly the header set that the server computes.
func TestWorkerResponsesCarryPolicies(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage, "/a.txt": "0123456789", "/sub/index.html": glass.BlankPage}, glass.AllScripts)
	script := glass.Body(t, g.Request(t, "GET", sandbox.URL()+"/.bellglass/sw.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, nil))
	var state struct{ Headers map[string]string }
	readState(t, g, sandbox.URL(), http.Header{"Bellglass-Secret": {glass.Between(t, script, `"secret":"`, `"`)}}, &state)

	v := g.Open(t, "localhost", sandbox)
	for _, row := range []struct {
		what, request string
		status        int
		inner         bool // carries the document's own policy, and not the refusal's
	}{
		{"200", `fetch('/a.txt')`, 200, true},
		{"HEAD", `fetch('/a.txt', { method: 'HEAD' })`, 200, true},
		{"206", `fetch('/a.txt', { headers: { Range: 'bytes=2-4' } })`, 206, true},
		{"304", `fetch('/a.txt').then((r) => fetch('/a.txt', { headers: { 'If-None-Match': r.headers.get('etag') } }))`, 304, true},
		{"404", `fetch('/none.txt')`, 404, true},
		{"405", `fetch('/a.txt', { method: 'POST', body: 'x' })`, 405, true},
		{"416", `fetch('/a.txt', { headers: { Range: 'bytes=99-' } })`, 416, true},
		{"400", `fetch('/%E0%A4')`, 400, true},
		{"folder", `fetch('/sub')`, 200, true},
		{"reserved", `fetch('/.bellglass/state')`, 403, false},
		{"hello", `fetch('/.bellglass/hello')`, 200, false},
		{"known", `fetch('/.bellglass/known?revision=1')`, 204, false},
	} {
		t.Run(row.what, func(t *testing.T) {
			got := v.In(t).Eval(`async () => { const r = await ` + row.request + `; return { status: r.status, headers: Object.fromEntries(r.headers) } }`).(map[string]any)
			if fmt.Sprint(got["status"]) != fmt.Sprint(row.status) {
				t.Errorf("status %v, want %d", got["status"], row.status)
			}
			header := http.Header{}
			for name, value := range got["headers"].(map[string]any) {
				header.Set(name, value.(string))
			}
			checkPolicies(t, row.what, header)
			if !row.inner {
				return
			}
			for name, want := range state.Headers {
				if name != "Cache-Control" && header.Get(name) != want {
					t.Errorf("%s is %q, the server says %q", name, header.Get(name), want)
				}
			}
		})
	}
}

func TestForeignHosts(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "x"}, glass.BlockAll)
	for _, host := range []string{
		"evil.test", fmt.Sprintf("evil.test:%d", g.Port), "localhost", "localhost:1", fmt.Sprintf("localhost.:%d", g.Port),
		fmt.Sprintf("x.localhost:%d", g.Port), fmt.Sprintf("short.sandbox.localhost:%d", g.Port),
		fmt.Sprintf("%s.evil.test:%d", sandbox.ID(), g.Port), fmt.Sprintf("a.%s.sandbox.localhost:%d", sandbox.ID(), g.Port), "127.0.0.2",
	} {
		for _, path := range []string{"/", "/sandboxes/" + sandbox.ID(), "/healthz", "/.bellglass/sw.js"} {
			response := g.Request(t, "GET", fmt.Sprintf("http://localhost:%d%s", g.Port, path), "document", http.Header{"Host": {host}}, nil)
			if response.StatusCode != http.StatusMisdirectedRequest {
				t.Errorf("Host %s, %s: status %d, want 421", host, path, response.StatusCode)
			}
		}
	}
	// The host page's paths do not answer on the host of a sandbox or of the outer frame.
	for _, origin := range []string{sandbox.URL(), fmt.Sprintf("http://sandbox.localhost:%d", g.Port)} {
		for _, path := range []string{"/healthz", "/sandboxes/" + sandbox.ID(), "/api/v1/sandboxes"} {
			for _, destination := range []string{"document", "empty", "script"} {
				response := g.Request(t, "GET", origin+path, destination, nil, nil)
				if response.StatusCode < 400 {
					t.Errorf("%s%s as %s: status %d", origin, path, destination, response.StatusCode)
				}
			}
		}
	}
}

// readState reads the worker's state, which is the first part of a parcel.
func readState(t testing.TB, g *glass.Server, origin string, secret http.Header, into any) {
	t.Helper()
	parcel := glass.Body(t, g.Request(t, "GET", origin+"/.bellglass/state", "empty", secret, nil))
	if len(parcel) < 4 {
		t.Fatalf("the state is %q", parcel)
	}
	if err := json.NewDecoder(strings.NewReader(parcel[4:])).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func fileHash(t testing.TB, g *glass.Server, origin string, secret http.Header, path string) string {
	t.Helper()
	var state struct{ Files []struct{ Path, Hash string } }
	readState(t, g, origin, secret, &state)
	for _, file := range state.Files {
		if file.Path == path {
			return file.Hash
		}
	}
	t.Fatalf("the state has no %s", path)
	return ""
}
