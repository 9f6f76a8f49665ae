package server

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/mcpapps"
)

// cookies returns a Cookie header with n cookies of 4 KiB.
func cookies(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("bomb%d=", i)+strings.Repeat("x", 4096-8))
	}
	return "Cookie: " + strings.Join(all, "; ") + "\r\n"
}

// The cookies that a browser has for the sandboxes never lock it out: they are read and
// deleted, or the refusal deletes them. No other site's cookies are deleted, and no storage.
func TestCookieBombIsCured(t *testing.T) {
	const port = 3333
	chromium, webkit := cookies(180), cookies(800)
	for _, row := range []struct {
		name    string
		config  Config
		host    string // of the request, {id} for the sandbox's
		path    string
		header  string
		status  int
		cleared bool
	}{
		{"no cookie", Config{}, "{id}.sandbox.localhost", "/", "", 200, false},
		{"one, inner", Config{}, "{id}.sandbox.localhost", "/", "Cookie: a=b\r\n", 200, true},
		{"Chromium's most, inner", Config{}, "{id}.sandbox.localhost", "/", chromium, 200, true},
		{"Chromium's most, outer", Config{}, "sandbox.localhost", "/{id}", chromium, 200, true},
		{"WebKit's, inner", Config{}, "{id}.sandbox.localhost", "/", webkit, 400, true},
		{"WebKit's, outer", Config{}, "sandbox.localhost", "/{id}", webkit, 400, true},
		{"an unknown sandbox", Config{}, strings.Repeat("a", idLength) + ".sandbox.localhost", "/", chromium, 404, true},
		{"each sandbox a site", Config{InnerHost: "{id}.localhost"}, "{id}.localhost", "/", webkit, 400, true},

		{"host page", Config{}, "localhost", "/", chromium, 200, false},
		{"host page, too long", Config{}, "localhost", "/", webkit, 400, false},
		{"unknown host", Config{}, "example.com", "/", webkit, 400, false},
		{"an app's domain", Config{AllowSharedDomain: true, Embedders: []string{"http://app.sandbox.localhost"}}, "{id}.sandbox.localhost", "/", chromium, 200, false},
		{"an app's domain, too long", Config{AllowSharedDomain: true, Embedders: []string{"http://app.sandbox.localhost"}}, "{id}.sandbox.localhost", "/", webkit, 400, false},
		{"not cleared", Config{Defenses: firewalltest.Without(firewalltest.Defense("Clear-Site-Data"))}, "{id}.sandbox.localhost", "/", webkit, 400, false},

		{"another header", Config{}, "{id}.sandbox.localhost", "/", "X: " + strings.Repeat("x", 100_000) + "\r\n", 431, false},
		{"a long address", Config{}, "{id}.sandbox.localhost", "/" + strings.Repeat("x", 100_000), "", 431, false},
		{"a longer address", Config{}, "{id}.sandbox.localhost", "/" + strings.Repeat("x", 2<<20), "", 400, false},
		{"an MCP App's declaration of 1 MB", Config{MCPApps: &mcpapps.Options{}}, "sandbox.localhost", "/sandbox.html?csp=" + strings.Repeat("x", 1<<20), "", 431, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel() // net/http keeps a connection that it refused for 500 ms
			s, sandbox := serverWith(t, row.config)
			addr := guardedServer(t, s)
			named := strings.NewReplacer("{id}", sandbox.ID())
			request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s:%d\r\nSec-Fetch-Dest: iframe\r\n%sConnection: close\r\n\r\n", named.Replace(row.path), named.Replace(row.host), port, row.header)
			answers := raw(t, addr, http.MethodGet, request)
			if len(answers) != 1 {
				t.Fatalf("%d answers", len(answers))
			}
			answer := answers[0]
			want := ""
			if row.cleared {
				want = `"cookies"`
			}
			if got := answer.header.Get("Clear-Site-Data"); answer.status != row.status || got != want {
				t.Errorf("status %d, clearing %q; want %d, %q", answer.status, got, row.status, want)
			}
			if err := policed(answer.header); err != nil {
				t.Error(err)
			}
			if used := s.headers.used.Load(); used != 0 {
				t.Errorf("%d bytes of headers are still counted", used)
			}
		})
	}
}

// Long headers share a budget. If it is used up, a long header is refused, and the refusal
// deletes the cookies. Short headers are still read.
func TestLongHeadersShareABudget(t *testing.T) {
	v := serveLimited(t, Limits{HeaderBytes: 100 << 10})
	frame := fmt.Sprintf("GET / HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Dest: iframe\r\nCookie: a=", strings.TrimPrefix(v.sandbox.URL(), "http://"))
	long := frame + strings.Repeat("x", 140<<10)
	slow := v.dial(t, long)
	for v.headers.used.Load() < 70<<10 { // the bytes that it has sent are being read
		if t.Context().Err() != nil {
			t.Fatal("the slow header is not counted")
		}
		runtime.Gosched()
	}
	refused := answers(t, v.dial(t, long+"\r\n\r\n"))
	if body, _ := io.ReadAll(refused.Body); refused.StatusCode != 400 || refused.Header.Get("Clear-Site-Data") == "" || !strings.Contains(string(body), "unreadable-request") {
		t.Errorf("beyond the budget: %s %v", refused.Status, refused.Header)
	}
	if short := answers(t, v.dial(t, frame+"b\r\n\r\n")); short.StatusCode != 200 {
		t.Errorf("a short header: %s", short.Status)
	}
	if _, err := io.WriteString(slow, "\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if response := answers(t, slow); response.StatusCode != 200 {
		t.Errorf("the slow header: %s", response.Status)
	}
	if again := answers(t, v.dial(t, long+"\r\n\r\n")); again.StatusCode != 200 {
		t.Errorf("afterwards: %s", again.Status)
	}
	if used := v.headers.used.Load(); used != 0 {
		t.Errorf("%d bytes of headers are still counted", used)
	}
}

// The empty line at the end of a header is found wherever a read ends.
func TestEndOfAHeader(t *testing.T) {
	const text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	for first := range len(text) {
		for second := first; second < len(text); second++ {
			var e headerEnd
			var found []bool
			for _, piece := range []string{text[:first], text[first:second], text[second : len(text)-1], text[len(text)-1:]} {
				found = append(found, e.find([]byte(piece)))
			}
			if found[0] || found[1] || !found[3] {
				t.Errorf("cut at %d and %d: %v", first, second, found)
			}
		}
	}
}
