package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
)

// The API makes, changes, reads, and removes a sandbox with a registry alone.
func TestAPIWithoutAServer(t *testing.T) {
	registry, err := sandbox.NewRegistry(sandbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	var keys Keyring
	a := New(Config{
		Registry: registry,
		Create:   func(spec sandbox.Spec) (*sandbox.Sandbox, error) { return registry.Create(spec, nil) },
		Upload: func(_ http.ResponseWriter, r *http.Request, _ int) ([]byte, func(), error) {
			body, err := io.ReadAll(r.Body)
			return body, func() {}, err
		},
		Decode: Decode,
		Parse: func(ctx context.Context, text []byte) (*rules.Policy, error) {
			return rules.ParseContext(ctx, "policy.yaml", text)
		},
		Keys: func(*http.Request) *Keyring { return &keys },
	})
	operations := map[string]Operation{}
	for _, o := range a.Operations() {
		operations[o.ID] = o
	}
	var sb *sandbox.Sandbox
	for _, step := range []struct {
		id, path, media, body string
		status                int
		code, says            string // the code of a refusal, and what the answer contains
	}{
		{"createSandbox", "/sandboxes", MediaJSON, `{"name":"first","files":{"/a.txt":{"text":"a"}}}`, 201, "", `"revision":1`},
		{"putFile", "/sandboxes/ID/files/b.txt", MediaBytes, "b", 201, "", `"revision":2`},
		{"getFile", "/sandboxes/ID/files/b.txt", "", "", 200, "", "b"},
		{"patchFiles", "/sandboxes/ID/files", MediaJSON, `{}`, 0, "bad-field", "neither"},
		{"putPolicy", "/sandboxes/ID/policy", MediaYAML, "version: 2\n", 0, "bad-policy", "policy.yaml:1:10"},
		{"listSandboxes", "/sandboxes?limit=1", "", "", 200, "", `"name":"first"`},
		{"readLog", "/sandboxes/ID/log?limit=1", "", "", 200, "", `"more":true`},
		{"readLog", "/sandboxes/ID/log?lmit=1", "", "", 0, "bad-query", "lmit"},
		{"putFile", "/sandboxes/ID/files/b.txt", "application/x-www-form-urlencoded", "b", 0, "unsupported-type", "urlencoded"},
		{"deleteSandbox", "/sandboxes/ID", "", "", 204, "", ""},
	} {
		o := operations[step.id]
		if sb != nil {
			step.path = strings.Replace(step.path, "ID", sb.ID(), 1)
		}
		r := httptest.NewRequest(o.Method, Root+step.path, strings.NewReader(step.body))
		r.Header.Set("Content-Type", step.media)
		w := httptest.NewRecorder()
		err := o.Check(r)
		if err == nil {
			err = o.Handle(w, r, sb)
		}
		if step.code != "" {
			refusal, ok := errors.AsType[*Refusal](RefusalOf(err))
			if !ok {
				t.Fatalf("%s %s: %v, want %s", step.id, step.body, err, step.code)
			}
			if p := NewProblem(refusal, err); p.Code != step.code || p.Title == "" || !strings.Contains(p.Detail, step.says) {
				t.Errorf("%s %s: %+v, want %s with %q", step.id, step.body, p, step.code, step.says)
			}
			continue
		}
		if err != nil || w.Code != step.status || !strings.Contains(w.Body.String(), step.says) {
			t.Fatalf("%s %s: %v, status %d: %s", step.id, step.body, err, w.Code, w.Body)
		}
		if step.id == "createSandbox" {
			var made Info
			if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
				t.Fatal(err)
			}
			sb = registry.Get(made.ID)
		}
	}
	if registry.Len() != 0 {
		t.Errorf("%d sandboxes are left", registry.Len())
	}
}
