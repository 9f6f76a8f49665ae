package server

import (
	"bufio"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
)

// Whatever the request line and the headers are, the answer has policies and an expected
// status. Only the browser that installs the worker, and the outer frame, can learn a secret.
func FuzzRequest(f *testing.F) {
	s, sandbox := unlimited(f)
	hosts := []string{"localhost:3333", "[::1]:3333", "sandbox.localhost:3333", strings.TrimPrefix(sandbox.URL(), "http://"), "evil.test"}
	for host, paths := range map[byte][]string{
		0: {"/", "/sandboxes/ID", "/healthz", "/%73andboxes/ID", "//", "/x"},
		1: {"/", "//evil.test/", "x:@evil.test", `/\evil.test`, "/?a#b", "*"},
		2: {"/ID", "/ID/events?token=TOKEN", "/ID/reports?token=TOKEN", "/ID/x", "/ID%2fevents?token=TOKEN"},
		3: {"/", "/index.html", "PREFIXboot", "PREFIXprobe", "PREFIXstate?have=1", "PREFIXstate?have=x&told=1&holder=h", "PREFIXchanges", "PREFIXblob/" + strings.Repeat("0", 64), "PREFIXsw.js", "/%2ebellglass/sw.js", "/a/../b"},
		4: {"/", "http://localhost:3333/"},
	} {
		if host == 0 {
			for _, id := range slices.Sorted(maps.Keys(samples)) {
				paths = append(paths, api.Root+samples[id].path)
			}
		}
		for _, path := range paths {
			for _, destination := range []string{"", "iframe", "serviceworker", "script", "document", "empty"} {
				f.Add(host, "GET", path, "Sec-Fetch-Dest: "+destination)
				f.Add(host, "GET", path, "Sec-Fetch-Dest: "+destination+"\r\nService-Worker: script")
			}
			f.Add(host, "POST", path, "Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: same-origin\r\nBellglass-Secret: SECRET\r\nBellglass-Key: CONTENTSKEY\r\nContent-Length: 2\r\n\r\n[]")
			f.Add(host, "HEAD", path, "Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: same-origin\r\nBellglass-Secret: SECRET\r\nBellglass-Key: CONTENTSKEY\r\nRange: bytes=0-")
			f.Add(host, "OPTIONS", path, "Origin: null\r\nAccess-Control-Request-Method: PUT")
		}
	}
	for _, row := range s.api.Operations() {
		one := samples[row.ID]
		for _, header := range []string{"", "Origin: https://evil.example\r\n", "Sec-Fetch-Site: same-site\r\n", "If-Match: \"1\"\r\n", "If-Match: W/\"1\r\n", "If-None-Match: *\r\n", "Idempotency-Key: k\r\n"} {
			text := header + "Authorization: Bearer APIKEY\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(one.body)) + "\r\n\r\n" + one.body
			f.Add(byte(0), row.Method, api.Root+one.path, text)
			f.Add(byte(0), row.Method, api.Root+strings.Replace(one.path, "/sandboxes", "/%73andboxes", 1), text)
			f.Add(byte(2), row.Method, api.Root+one.path, text)
			f.Add(byte(3), row.Method, api.Root+one.path, text)
		}
	}
	f.Fuzz(func(t *testing.T, host byte, method, target, header string) {
		// A request with a token may have removed the sandbox, or made others.
		for _, other := range s.Sandboxes() {
			if other != sandbox {
				s.Remove(other.ID())
			}
		}
		if s.Sandbox(sandbox.ID()) == nil {
			sandbox = mustCreate(t, s)
			hosts[3] = strings.TrimPrefix(sandbox.URL(), "http://")
		}
		text := named(sandbox, method+" "+target+" HTTP/1.1\r\nHost: "+hosts[int(host)%len(hosts)]+"\r\n"+header+"\r\n\r\n")
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil || strings.ContainsAny(r.Host, " \t/") {
			return // net/http answers itself; see TestUnreadableRequestsAreAnsweredWithPolicies
		}
		where, _ := s.config.lookup(r.Host)
		got := serveOn(s, r)
		checkResponse(t, got)
		told := func(secret string) bool {
			return strings.Contains(got.body, secret) && !strings.Contains(r.RequestURI, secret)
		}
		if (told(sandbox.secret) || told(sandbox.key)) &&
			(where != innerHost || r.URL.Path != protocol.WorkerPath || r.URL.RawPath != "" || r.Header.Get("Sec-Fetch-Dest") != destServiceWorker) {
			t.Errorf("the answer to %q contains a secret of the worker", text)
		}
		if told(sandbox.token) && (where != outerHost || r.URL.Path != "/"+sandbox.ID() || r.URL.RawPath != "") {
			t.Errorf("the answer to %q contains the outer frame's token", text)
		}
		// A page is served with its own policy. Otherwise it could not run.
		page, csp := strings.HasPrefix(got.header.Get("Content-Type"), "text/html"), got.header.Get("Content-Security-Policy")
		if page && got.status == 200 && !strings.Contains(csp, "script-src 'sha256-") {
			t.Errorf("%q: a page with the policy %q", text, csp)
		}
		if where == unknownHost && got.status != 421 {
			t.Errorf("%q: status %d of a foreign host", text, got.status)
		}
	})
}
