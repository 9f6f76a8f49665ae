package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// Which requests get a file from the server, and under which policy. One sandbox prefers its
// worker, and the other requires it.
func TestWhoGetsAFilePastTheWorker(t *testing.T) {
	const text = `
rules:
  - {id: exact, types: [fetch], allow: "https://exact.example"}
  - {id: inexact, types: [fetch], allow: "https://in-*.exact.example"}
`
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	sandboxes := map[string]*Sandbox{}
	for _, worker := range []string{"preferred", "required"} {
		policy, err := rules.Parse("rules.yaml", []byte("version: 1\nworker: "+worker+text))
		if err != nil {
			t.Fatal(err)
		}
		if sandboxes[worker], err = s.Create(Spec{Files: fileSet(t, s), Policy: policy}); err != nil {
			t.Fatal(err)
		}
	}
	frame := map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site"}
	own := map[string]string{"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}
	for _, row := range []struct {
		name, worker, path string
		header             map[string]string
		status             int
		has, lacks         string // the body has, and does not have
	}{
		{"a frame", "preferred", "/", frame, 200, "data-revision", "Starting the sandbox"},
		{"a frame, by the page itself", "preferred", "/index.html", map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin"}, 200, "data-revision", "Starting"},
		{"the page", "preferred", "/a.txt", own, 200, "contents", ""},
		{"another site", "preferred", "/a.txt", map[string]string{"Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "cross-site"}, 404, "no-origin", "contents"},
		{"another sandbox", "preferred", "/a.txt", map[string]string{"Sec-Fetch-Dest": "script", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-site"}, 404, "no-worker", "contents"},
		{"a browser that does not say", "preferred", "/a.txt", map[string]string{"Sec-Fetch-Dest": "empty"}, 404, "no-worker", "contents"},
		{"a tab", "preferred", "/", map[string]string{"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"}, 403, "tab of its own", "data-revision"},
		{"a worker of another script", "preferred", "/a.txt", map[string]string{"Sec-Fetch-Dest": "serviceworker", "Sec-Fetch-Mode": "same-origin", "Sec-Fetch-Site": "same-origin"}, 403, "foreign-worker", "contents"},
		{"a path of ours", "preferred", "/.bellglass/state", own, 403, "worker-only", ""},
		{"a frame, worker required", "required", "/", frame, 200, "Starting the sandbox", `<script src=`},
		{"the page, worker required", "required", "/a.txt", own, 404, "no-worker", "contents"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", sandboxes[row.worker].URL()+row.path, nil)
			for name, value := range row.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			body := w.Body.String()
			if w.Code != row.status || !strings.Contains(body, row.has) || row.lacks != "" && strings.Contains(body, row.lacks) {
				t.Errorf("%d %.400q, want %d with %q and without %q", w.Code, body, row.status, row.has, row.lacks)
			}
			csp := w.Header().Get("Content-Security-Policy")
			if strings.Contains(csp, "in-") || strings.Contains(csp, "*.exact.example") {
				t.Errorf("what only the worker holds is opened: %s", csp)
			}
			if served := row.status == http.StatusOK && row.worker == "preferred"; strings.Contains(csp, "https://exact.example") != served {
				t.Errorf("the policy is %s", csp)
			}
		})
	}
}

// The log says once that a document was served without the worker, until the worker is back.
func TestMissingWorkerIsTold(t *testing.T) {
	s, sandbox := newTestServer(t)
	policy, err := rules.Parse("rules.yaml", []byte("version: 1\nworker: preferred\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetPolicy(policy); err != nil {
		t.Fatal(err)
	}
	ask := func(path string, header map[string]string) {
		r := httptest.NewRequest("GET", sandbox.URL()+path, nil)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	document := map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin"}
	script := map[string]string{"Sec-Fetch-Dest": destServiceWorker, "Service-Worker": "script", "Sec-Fetch-Site": "same-origin"}
	for _, step := range []struct {
		path   string
		header map[string]string
		want   int
	}{{"/", document, 1}, {"/", document, 1}, {"/.bellglass/sw.js", script, 1}, {"/", document, 2}} {
		ask(step.path, step.header)
		if got := stepsOf(sandbox, protocol.StepWithoutWorker); got != step.want {
			t.Fatalf("after %s the log tells it %d times, want %d", step.path, got, step.want)
		}
	}
}

// stepsOf counts the lifecycle events of a step in a sandbox's log.
func stepsOf(sandbox *Sandbox, step protocol.Step) (count int) {
	for id := int64(0); ; {
		events := logged(sandbox, id)
		if len(events) == 0 {
			return count
		}
		for _, e := range events {
			id = e.ID
			if lifecycle, is := e.Event().(protocol.LifecycleEvent); is && lifecycle.Step == step {
				count++
			}
		}
	}
}
