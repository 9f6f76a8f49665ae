package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A view waits until its app is there. It does not wait when it is loaded again.
func TestViewsWaitForTheirApp(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy("/").Header().Get("Location"), "/"))
	waits := func(want bool) {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, sandbox.URL()+protocol.BootPath, nil)
		r.Header.Set("Sec-Fetch-Dest", "iframe")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if says := fmt.Sprintf(`"waits":%v`, want); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%d, and the boot page does not say %s", w.Code, says)
		}
	}
	waits(true)
	handIn(s, sandbox, `{"html":""}`)
	waits(true)
	handIn(s, sandbox, `{"html":"<p>x</p>"}`)
	waits(false)
}

// The app becomes the rest of a document that was begun before it arrived only if the headers
// and the doctype are right for it. The worker and the outer frame hear the same.
func TestDocumentsContinue(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	const usual = `{"html":"<!doctype html><p>x</p>"}`
	for _, row := range []struct {
		name, csp, body string
		before          func(*Sandbox) error
		continues       bool
	}{
		{"what nearly every host sends", "{}", usual, nil, true},
		{"the same declaration again", `{"connectDomains":["https://a.example.com"]}`, `{"html":"<!doctype html><p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, true},
		{"white space and capitals", "{}", `{"html":"\ufeff\r\n <!DOCTYPE HTML>"}`, nil, true},
		{"quirks mode", "{}", `{"html":"<p>x</p>"}`, nil, false},
		{"another doctype", "{}", `{"html":"<!doctype html system 'about:legacy-compat'><p>x</p>"}`, nil, false},
		{"a comment first", "{}", `{"html":"<!--x--><!doctype html><p>x</p>"}`, nil, false},
		{"a declaration in the message alone", "", `{"html":"<!doctype html>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, false},
		{"a declaration that the address does not allow", "{}", `{"html":"<!doctype html>","csp":{"connectDomains":["https://a.example.com"]}}`, nil, true},
		{"a narrower declaration", `{"connectDomains":["https://a.example.com"]}`, `{"html":"<!doctype html>","csp":{}}`, nil, false},
		{"a permission", "{}", `{"html":"<!doctype html>","permissions":{"camera":{}}}`, nil, false},
		{"a permission that no app gets", "{}", `{"html":"<!doctype html>","permissions":{"usb":{}}}`, nil, true},
		{"a revision between", "{}", usual, func(sandbox *Sandbox) error {
			v, _ := sandbox.Version()
			_, err := sandbox.SetPolicy(v.Firewall.Policy())
			return err
		}, false},
	} {
		sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy(proxyTarget(row.csp)).Header().Get("Location"), "/"))
		begun := stateOf(t, sandbox)
		if begun.Continues != 0 || !begun.Waits || strings.Contains(begun.Headers["Permissions-Policy"], "camera=(self)") {
			t.Errorf("%s: before the app, the state says that it waits: %v, that it continues with %d, and %s", row.name, begun.Waits, begun.Continues, begun.Headers["Permissions-Policy"])
		}
		if row.before != nil {
			if err := row.before(sandbox); err != nil {
				t.Fatal(err)
			}
		}
		w := handIn(s, sandbox, row.body)
		var grant AppGrant
		if err := json.Unmarshal(w.Body.Bytes(), &grant); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s, %v", row.name, w.Code, w.Body, err)
		}
		now := stateOf(t, sandbox)
		want := int64(0)
		if row.continues {
			want = 2
		}
		if grant.Continues != row.continues || now.Continues != want || now.Waits {
			t.Errorf("%s: the outer frame hears %v, and the worker %d", row.name, grant.Continues, now.Continues)
		}
		begun.Waits, begun.Continues = false, want
		begun.Client = strings.Replace(begun.Client, `data-revision="1"`, `data-revision="2"`, 1)
		if diff := cmp.Diff(now, begun); row.continues && diff != "" {
			t.Errorf("%s: the document continues, but not as it would begin (-begins +begun):\n%s", row.name, diff)
		}
		if _, err := sandbox.SetFiles(fileSet(t, s)); err != nil {
			t.Fatal(err)
		}
		if later := stateOf(t, sandbox).Continues; later != want {
			t.Errorf("%s: after another change the worker hears %d", row.name, later)
		}
	}
}

// documentState is the part of a worker's state that says how documents begin.
type documentState struct {
	Headers        map[string]string
	Client, Policy string
	Waits          bool
	Continues      int64
}

func stateOf(t *testing.T, sandbox *Sandbox) (state documentState) {
	t.Helper()
	v, _ := sandbox.Version()
	text, err := v.State()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// handIn sends what the outer frame sends.
func handIn(s *Server, sandbox *Sandbox, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://sandbox.localhost:3333/"+sandbox.ID()+"/app?token="+sandbox.token, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// What a host hands in, and what it is told.
func TestApps(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	for _, row := range []struct {
		csp, body string
		code      int
		says      string
	}{
		{"{}", `{"html":"<p>x</p>"}`, 200, `{"allow":"","told":[],"sandbox":{"csp":{},"permissions":{}},`},
		{"{}", `{"html":"<p>x</p>","permissions":{"camera":{},"clipboardWrite":{}},"sandbox":"allow-scripts allow-same-origin allow-forms"}`, 200, `{"allow":"camera; clipboard-write","told":[],"sandbox":{"csp":{},"permissions":{"camera":{},"clipboardWrite":{}}},`},
		{`{"connectDomains":["https://b.example.com","https://a.example.com","*"],"frameDomains":["https://a.example.com"]}`, `{"html":"<p>x</p>"}`, 200, `"sandbox":{"csp":{"connectDomains":["https://a.example.com","https://b.example.com"],"frameDomains":["https://a.example.com"]},"permissions":{}},`},
		{"{}", `{"html":"<p>x</p>","permissions":{"usb":{}},"sandbox":"allow-popups ALLOW-SCRIPTS"}`, 200, "allow-popups"},
		{"{}", `{"html":"<p>x</p>","permissions":{"cross-origin-isolated":{}}}`, 200, `\"cross-origin-isolated\" is not granted: the specification has camera, microphone, geolocation and clipboardWrite"],"sandbox":{"csp":{},"permissions":{}},`},
		{"{}", `{"html":"<p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, 200, `the operator's rules all allow"],"sandbox":{"csp":{},"permissions":{}},`},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":["https://a.example.com"]}}`, 200, `"told":[]`},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":["*"]}}`, 200, "every host"},
		{"", `{"html":"<p>x</p>","csp":null}`, 200, `"told":[]`},
		{"", `{"html":"<p>x</p>","csp":[]}`, 400, "not a JSON object"},
		{"", `{"html":"<p>x</p>","csp":{"connectDomains":[],"connectDomains":[]}}`, 400, "csp"},
		{"", `{"html":""}`, 400, "empty"},
		{"", `{}`, 400, "empty"},
		{"", `null`, 400, "empty"},
		{"", `[]`, 400, "JSON"},
		{"", `{"html":1}`, 400, "JSON"},
		{"", `{"html":"\ud800"}`, 400, "JSON"},
		{"", "{\"html\":\"\xff\"}", 400, "JSON"},
		{"", `{"html":"` + strings.Repeat("x", 20<<20) + `"}`, 413, "larger than"},
	} {
		sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy(proxyTarget(row.csp)).Header().Get("Location"), "/"))
		w := handIn(s, sandbox, row.body)
		if w.Code != row.code || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%s, %.100s: %d %.300s", row.csp, row.body, w.Code, w.Body)
		}
		v, _ := sandbox.Version()
		if ran := v.Files.Len() > 0; ran != (row.code == 200) {
			t.Errorf("%s, %.100s: the app is there: %v", row.csp, row.body, ran)
		}
		// A refused app may be handed in again. An accepted one may not.
		again, want := handIn(s, sandbox, `{"html":"<p>y</p>"}`), http.StatusOK
		if row.code == 200 {
			want = http.StatusConflict
		}
		if again.Code != want {
			t.Errorf("%s, %.100s: the second time %d %s", row.csp, row.body, again.Code, again.Body)
		}
	}
	none, err := s.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	ordinary, err := s.Create(Spec{Files: none})
	if err != nil {
		t.Fatal(err)
	}
	if w := handIn(s, ordinary, `{"html":"<p>x</p>"}`); w.Code != http.StatusNotFound {
		t.Errorf("an ordinary sandbox takes an app: %d", w.Code)
	}
}
