package address

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/proxies"
)

// Every response that a proxy makes by itself has a policy, whatever a page makes its browser
// send. Without a policy the response would be an uncontained document of the sandbox's
// origin.
func TestProxiesRefuseWithAPolicy(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	requests := []struct {
		name, path, cookie string
		bare               bool // nginx without our configuration answers it without a policy
	}{
		{"nothing wrong", "/healthz", "", false},
		{"a bare %", "/%", "", true},
		{"no UTF-8, no hexadecimal", "/%zz", "", true},
		{"above the root", "/../../x", "", true},
		{"a long address", "/" + long, "", false},
		{"a long cookie", "/", long, false},
	}
	for name, front := range map[string]struct {
		start   func(t testing.TB, d proxies.Deployment)
		version []string // versions of HTTP
	}{
		"nginx": {fronts["nginx"], []string{"--http1.1", "--http2"}},
		// Over HTTP/1.1 Caddy answers a bare % without a policy, whatever its configuration.
		// Browsers use HTTP/2, over which it ends the stream.
		"Caddy": {fronts["Caddy"], []string{"--http2"}},
		"nginx as it comes": {func(t testing.TB, d proxies.Deployment) {
			proxies.Nginx(t, d, "error_page 400 404 405", "error_page 505")
		}, []string{"--http1.1", "--http2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, d := deploy(t, front.start, ofItsOwn)
			inner := strings.Replace(ofItsOwn.inner, "{id}", g.NewSandbox(t, page("one"), policy).ID(), 1)
			for _, version := range front.version {
				for _, request := range requests {
					got := curl(t, d, inner, version, request.path, request.cookie)
					isControl := name == "nginx as it comes" && request.bare
					if got == nil && (isControl || request.path == "/healthz") {
						t.Errorf("%s, %s: no answer", version, request.name)
					}
					if got == nil {
						continue // the connection or the stream has ended, so there is no document
					}
					if policies := got.Header.Values("Content-Security-Policy"); (len(policies) == 1) == isControl {
						t.Errorf("%s, %s: status %d with the policies %q", version, request.name, got.StatusCode, policies)
					}
				}
			}
		})
	}
}

// A proxy whose server is down says so, with a policy.
func TestProxiesWithoutAServer(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nginx", "Caddy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cert, key, err := ca(t).Issue(t.TempDir(), tomorrow(), "app.host.test", "sandbox.usercontent.test", "*.usercontent.test")
			if err != nil {
				t.Fatal(err)
			}
			d := proxies.Deployment{Host: "app.host.test", Outer: "sandbox.usercontent.test", Inner: "*.usercontent.test", Cert: cert, Key: key, Port: freePort(t), Server: freePort(t)}
			fronts[name](t, d)
			got := curl(t, d, "x.usercontent.test", "--http2", "/", "")
			if got == nil || got.StatusCode != 502 || got.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
				t.Errorf("it answers %v", got)
			}
		})
	}
}

// curl sends a path exactly as given. It returns the head of the response, or nil if there is
// none.
func curl(t *testing.T, d proxies.Deployment, host, version, path, cookie string) *http.Response {
	t.Helper()
	dir := t.TempDir()
	authority, settings := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "curl")
	if err := os.WriteFile(authority, ca(t).PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	// Values too long for an argument come from a file.
	text := fmt.Sprintf("url = \"https://%s:%d%s\"\n", host, d.Port, path)
	if cookie != "" {
		text += fmt.Sprintf("header = \"Cookie: a=%s\"\n", cookie)
	}
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("curl", version, "--noproxy", "*", "--path-as-is", "--silent", "--dump-header", "-", "--output", "/dev/null",
		"--cacert", authority, "--resolve", fmt.Sprintf("*:%d:127.0.0.1", d.Port), "--header", "Sec-Fetch-Dest: iframe", "--config", settings)
	out, _ := command.Output() // it fails when there is no response
	status, fields, found := strings.Cut(string(out), "\r\n")
	if !found {
		return nil
	}
	answer := &http.Response{Header: http.Header{}}
	if _, err := fmt.Sscanf(status[strings.Index(status, " ")+1:], "%d", &answer.StatusCode); err != nil {
		t.Fatalf("curl says %q: %v", status, err)
	}
	for line := range strings.SplitSeq(fields, "\r\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			answer.Header.Add(name, strings.TrimSpace(value))
		}
	}
	return answer
}
