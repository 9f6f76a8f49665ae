package server

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/server/api"
)

// Some request gets each code, with its reason, and leaves the sandboxes unchanged. Faults
// that every operation can have are in TestFaultyRequestsAreRefused.
func TestRefusalsOfSingleOperations(t *testing.T) {
	a := startAPI(t, Config{})
	sandbox := a.sandbox()
	create := func(body string) call { return a.call("POST", "/sandboxes", body) }
	patch := func(body string) call { return a.call("PATCH", "/sandboxes/ID/files", body) }
	put := func(path string) call { return a.call("PUT", "/sandboxes/ID/files/"+path, "x") }
	policy := func(text string) call { return a.call("PUT", "/sandboxes/ID/policy", text) }
	explain := func(body string) call { return a.call("POST", "/sandboxes/ID/explain", body) }
	archive := func(contents string) call { return a.call("PUT", "/sandboxes/ID/files", contents) }
	execute := func(body string) call { return a.call("POST", "/sandboxes/ID/execute", body) }
	events := func(query string) call { return a.call("GET", "/sandboxes/ID/events?"+query, "") }
	long := strings.Repeat("x", 1024)
	for _, row := range []struct {
		name          string
		call          call
		status        int
		code, pointer string
		says          string
	}{
		{"a file in two ways", create(`{"files":{"/a~b/c":{"text":"a","base64":"YQ=="}}}`), 422, "bad-field", "/files/~1a~0b~1c", "both"},
		{"a file in no way", create(`{"files":{"/a":{}}}`), 422, "bad-field", "/files/~1a", "neither"},
		{"no base64", create(`{"files":{"/a":{"base64":"*"}}}`), 400, "bad-json", "/files/~1a/base64", "base64"},
		{"a number for a text", create(`{"files":{"/a":{"text":1}}}`), 400, "bad-json", "/files/~1a/text", "number"},
		{"a misspelled key inside", create(`{"files":{"/a":{"txt":"a"}}}`), 400, "bad-json", "/files/~1a/txt", `"txt"`},
		{"a file twice", create(`{"files":{"/a":{"text":"a"},"/a":{"text":"b"}}}`), 400, "bad-json", "/files/~1a", "duplicate"},
		{"a fraction", create(`{"ttl":1.5}`), 400, "bad-json", "/ttl", ""},
		{"a large number", create(`{"ttl":99999999999999999999}`), 400, "bad-json", "/ttl", ""},
		{"a negative time", create(`{"ttl":-1}`), 422, "bad-field", "/ttl", "-1"},
		{"a long time", create(`{"ttl":315360001}`), 422, "bad-field", "/ttl", ""},
		{"an entry without a slash", create(`{"entry":"index.html"}`), 422, "bad-field", "/entry", "index.html"},
		{"an entry with an empty segment", create(`{"entry":"//evil.example/x"}`), 422, "bad-field", "/entry", "empty segment"},
		{"an entry with a line break", create(`{"entry":"/\n"}`), 422, "bad-field", "/entry", "control"},
		{"a flag that lets it out", create(`{"flags":["allow-modals","allow-popups"]}`), 422, "bad-field", "/flags", "allow-popups"},
		{"flags in one text", create(`{"flags":"allow-modals"}`), 400, "bad-json", "/flags", ""},
		{"a permission that is none", create(`{"permissions":["camera=*"]}`), 422, "bad-field", "/permissions", "camera=*"},
		{"a fallback that is no file", create(`{"fallback":"/a"}`), 422, "bad-field", "/fallback", "/a"},
		{"a name with a line break", create(`{"name":"a\nb"}`), 422, "bad-field", "/name", "control"},
		{"a long name", create(`{"name":"` + long + `"}`), 422, "bad-field", "/name", "200"},
		{"a path that climbs", create(`{"files":{"/../a":{"text":""}}}`), 422, "bad-path", "", ".."},
		{"our own folder", create(`{"files":{"/.bellglass/sw.js":{"text":""}}}`), 422, "bad-path", "", ".bellglass"},
		{"a file that is a folder", create(`{"files":{"/a":{"text":""},"/a/b":{"text":""}}}`), 422, "bad-path", "", "folder"},
		{"a long path", create(`{"files":{"/` + long + `":{"text":""}}}`), 413, "over-limit", "", "path length"},
		{"many files", create(`{"files":{` + manyFiles(20_001) + `}}`), 413, "over-limit", "", "file count"},
		{"a wrong policy", create(`{"policy":"version: 2\n"}`), 422, "bad-policy", "", "policy.yaml:1:10"},
		{"a policy that includes", policy("version: 1\ninclude: [other.yaml]\n"), 422, "bad-policy", "", "include"},
		{"an empty policy", policy(""), 422, "bad-policy", "", ""},
		{"a policy in no UTF-8", policy("version: 1\n# \xff\n"), 422, "bad-policy", "", "UTF-8"},
		{"a large policy", policy("version: 1\n#" + strings.Repeat("x", api.MaxPolicy-12)), 422, "bad-policy", "", "8388608"},
		{"a patch of nothing", patch(`{}`), 422, "bad-field", "", "neither"},
		{"a path that is set and deleted", patch(`{"set":{"/a":{"text":""}},"delete":["/a"]}`), 422, "bad-path", "", "twice"},
		{"deleting what is not there", patch(`{"set":{"/a":{"text":""}},"delete":["/none"]}`), 404, "unknown-file", "", "/none"},
		{"one wrong path of two", patch(`{"set":{"/a":{"text":""},"b":{"text":""}}}`), 422, "bad-path", "", `"b"`},
		{"no path", put(""), 422, "bad-path", "", "top folder"},
		{"an encoded climb", put("%2e%2e/a"), 422, "bad-path", "", ".."},
		{"an encoded climb and slash", put("a%2f..%2fb"), 422, "bad-path", "", ".."},
		{"a NUL", put("a%00"), 422, "bad-path", "", "control"},
		{"no UTF-8", put("%ff"), 422, "bad-path", "", "UTF-8"},
		{"two slashes", put("/a"), 422, "bad-path", "", "empty segment"},
		{"reading what is not there", a.call("GET", "/sandboxes/ID/files/INDEX.html", ""), 404, "unknown-file", "", "INDEX.html"},
		{"an archive that is none", archive("PK, but no more"), 422, "bad-archive", "", "zip"},
		{"half an archive", archive(zipOf(map[string]string{"a": long, "b": long})[:150]), 422, "bad-archive", "", "zip"},
		{"an archive of another kind", archive(zipOf(map[string]string{"a": "a"})).with("Content-Type", api.MediaTar), 422, "bad-archive", "", "tar"},
		{"an archive that climbs", archive(zipOf(map[string]string{"../a": "a"})), 422, "bad-path", "", "../a"},
		{"no code", execute(`{"args":1}`), 400, "no-code", "", "ES module"},
		{"an empty id", execute(`{"code":"1","id":""}`), 422, "bad-field", "/id", "empty"},
		{"an id with a slash", execute(`{"code":"1","id":"a/b"}`), 422, "bad-field", "/id", "a/b"},
		{"a long id", execute(`{"code":"1","id":"` + long + `"}`), 422, "bad-field", "/id", "64"},
		{"a negative timeout", execute(`{"code":"1","timeoutMs":-1}`), 400, "bad-timeout", "", "-1ms"},
		{"a long timeout", execute(`{"code":"1","timeoutMs":9223372036854775807}`), 400, "bad-timeout", "", "at most"},
		{"an unknown context", execute(`{"code":"1","context":"iframe"}`), 400, "bad-context", "", "worker or frame"},
		{"an unknown capability", execute(`{"code":"1","capabilities":["network"]}`), 400, "bad-capability", "", "unknown"},
		{"a capability without a host", execute(`{"code":"1","context":"frame","capabilities":["dom:read"]}`), 400, "bad-capability", "", "host page"},
		{"no list of capabilities", execute(`{"code":"1","capabilities":null}`), 400, "bad-json", "/capabilities", "write []"},
		{"much code", execute(`{"code":"` + strings.Repeat("x", 3<<20) + `"}`), 413, "code-too-large", "", "bytes"},
		{"long arguments", execute(`{"code":"1","args":"` + strings.Repeat("x", 3<<20) + `"}`), 413, "args-too-large", "", "bytes"},
		{"a filter with an unknown word", events("type=verdict,vredict"), 400, "bad-filter", "", "vredict"},
		{"a filter twice", events("type=verdict&type=error"), 400, "bad-filter", "", "2 times"},
		{"an event's id that is none", events("after=first"), 400, "bad-event-id", "", "first"},
		{"an unknown method", explain(`{"method":"get","url":"https://a.example/"}`), 422, "bad-field", "", "GET"},
		{"an unknown type", explain(`{"method":"GET","url":"https://a.example/","type":"scrip"}`), 422, "bad-field", "", "script"},
		{"no URL", explain(`{"method":"GET"}`), 422, "bad-field", "/url", "missing"},
		{"a key with a space", create(`{}`).with("Idempotency-Key", "a b"), 400, "bad-key", "", ""},
		{"a long key", create(`{}`).with("Idempotency-Key", long), 400, "bad-key", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			a.t = t
			before := a.state()
			got := a.send(row.call, sandbox)
			p := problemIn(t, got)
			if got.status != row.status || p.Code != row.code || p.Pointer != row.pointer || !strings.Contains(p.Detail, row.says) {
				t.Errorf("%d %s at %q: %s; want %d %s at %q with %q", got.status, p.Code, p.Pointer, p.Detail, row.status, row.code, row.pointer, row.says)
			}
			if a.state() != before {
				t.Error("it has changed something")
			}
			if len(got.body) > 4_000 {
				t.Errorf("the problem has %d bytes", len(got.body))
			}
		})
	}
}

func manyFiles(n int) string {
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(`"/%d":{"text":""}`, i))
	}
	return strings.Join(members, ",")
}

// The problem of a rejected policy lists all mistakes with their positions.
func TestPolicyProblemsHavePlaces(t *testing.T) {
	a := startAPI(t, Config{})
	p := problemIn(t, a.send(a.call("PUT", "/sandboxes/ID/policy", "version: 1\nrules:\n  - alow: https://a.example\n  - allow: ftp://a.example\n"), a.sandbox()))
	if len(p.Mistakes) < 2 {
		t.Fatalf("the mistakes are %+v", p.Mistakes)
	}
	first := p.Mistakes[0]
	if first.File != policyFile || first.Line != 3 || first.Column != 5 || !strings.Contains(first.Hint, "allow") || first.Source != "  - alow: https://a.example" || first.Message == "" {
		t.Errorf("the first mistake is %+v", first)
	}
	// The answer is short, however many mistakes there are.
	got := a.send(a.call("PUT", "/sandboxes/ID/policy", "version: 1\nrules:\n"+strings.Repeat("  - alow: "+strings.Repeat("x", 10_000)+"\n", 500)), a.sandbox())
	if p := problemIn(t, got); len(p.Mistakes) != api.MaxMistakes || len(got.body) > 300_000 {
		t.Errorf("%d mistakes in %d bytes", len(p.Mistakes), len(got.body))
	}
}

// A token may send only so many requests. Another token has its own limit.
func TestTokensAreLimited(t *testing.T) {
	const other = "another-token-of-the-test"
	inBubble(t, Config{Tokens: []string{other}, Limits: Limits{API: Rate{PerSecond: .25, Burst: 3}}}, 1, func(t *testing.T, s *Server, _ []*Sandbox) {
		a := &apiServer{Server: s, t: t}
		list := a.call("GET", "/sandboxes", "")
		for range 3 {
			if got := a.ask(list); got.status != 200 {
				t.Fatalf("status %d: %s", got.status, got.body)
			}
		}
		for range 2 {
			got := a.ask(list)
			if p := problemIn(t, got); p.Code != "too-many-requests" || got.header.Get("Retry-After") != "4" {
				t.Errorf("%+v, Retry-After %q", p, got.header.Get("Retry-After"))
			}
			// A client without a token does not use up the limit of a token.
			if got := a.ask(list.with("Authorization", "Bearer wrong")); got.status != 401 {
				t.Errorf("a stranger is answered %d", got.status)
			}
		}
		if got := a.ask(list.with("Authorization", "bearer  "+other)); got.status != 200 {
			t.Errorf("another token: status %d: %s", got.status, got.body)
		}
		pass(4 * time.Second)
		if got := a.ask(list); got.status != 200 {
			t.Errorf("afterwards: status %d: %s", got.status, got.body)
		}
	})
}

// A server that is full, or is receiving too much, says when to try again.
func TestAFullServerSaysSo(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{Sandboxes: 1}, UploadBytes: bodyStep, Streams: 1}}, 0, func(t *testing.T, s *Server, _ []*Sandbox) {
		a := &apiServer{Server: s, t: t}
		create := a.call("POST", "/sandboxes", `{"files":{"/index.html":{"text":"a"}}}`).with("Idempotency-Key", "one")
		sandbox := answered[Info](t, a.ask(create), 201)
		check := func(what string, got response, status int, code, wait string) {
			t.Helper()
			if p := problemIn(t, got); got.status != status || p.Code != code || got.header.Get("Retry-After") != wait {
				t.Errorf("%s: %+v, Retry-After %q", what, p, got.header.Get("Retry-After"))
			}
		}
		second := create.with("Idempotency-Key", "two")
		check("one sandbox too many", a.ask(second), 503, "full", "60")
		if !s.uploads.take(1) {
			t.Fatal("something is still counted")
		}
		check("a body too many", a.ask(a.call("PUT", "/sandboxes/"+sandbox.ID+"/files/a.txt", "a")), 503, "busy", "1")
		s.uploads.give(1)
		if !s.streams.take(1) {
			t.Fatal("a stream is still counted")
		}
		check("a stream too many", a.ask(a.call("GET", "/sandboxes/"+sandbox.ID+"/events", "")), 503, "too-many-streams", "10")
		s.streams.give(1)

		// A key whose request failed succeeds once there is room.
		pass(leastIdle)
		answered[Info](t, a.ask(second), 201)
	})
}

// The answer after a panic in an operation reveals nothing internal.
func TestAFailingOperationIsAProblem(t *testing.T) {
	a := startAPI(t, Config{})
	sandbox := a.sandbox()
	for i, row := range a.tables[pageHost].rows {
		if row.path == api.Root+"/sandboxes/{sandbox}/files" {
			a.tables[pageHost].rows[i].handle = func(echo.Context) error { panic("private detail") }
		}
	}
	p := problemIn(t, a.send(a.call("GET", "/sandboxes/ID/files", ""), sandbox))
	if p.Code != "internal" || strings.Contains(p.Detail, "private") {
		t.Errorf("%+v", p)
	}
}

// The configured tokens cannot be guessable by accident. No error reveals one.
func TestConfigRefusesTokens(t *testing.T) {
	for _, bad := range []string{"", "short", strings.Repeat("a", 257), "with a space in the middle", "with-a-line-break\n", "ümläute-in-a-long-token", `quotes"in-a-long-token`, "equals=in-the-middle-of-it"} {
		_, err := New(Config{Tokens: []string{bad}})
		if err == nil {
			t.Errorf("the token %q is accepted", bad)
		} else if bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("the error tells the token: %v", err)
		}
	}
	if _, err := New(Config{Tokens: []string{strings.Repeat("a", 16), strings.Repeat("a", 16)}}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a token twice: %v", err)
	}
	a := startAPI(t, Config{Tokens: []string{base64.StdEncoding.EncodeToString([]byte("sixteen bytes it is"))}})
	b := startAPI(t, Config{})
	if got := b.send(b.call("GET", "/sandboxes", "").with("Authorization", "Bearer "+a.Token()), nil); got.status != http.StatusUnauthorized || a.Token() == b.Token() {
		t.Errorf("another server's own token: status %d", got.status)
	}
}
