package server

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// A warm sandbox is filled once, and keeps its policy.
func TestWarmSandboxes(t *testing.T) {
	s := startAPI(t, Config{})
	send := func(path, body string, into any) int {
		t.Helper()
		got := s.send(s.call("POST", path, body), nil)
		if err := json.Unmarshal([]byte(got.body), into); err != nil {
			t.Fatal(err, got.body)
		}
		return got.status
	}
	var warm struct{ Sandboxes []Info }
	if status := send("/warm", `{"count": 2, "policy": "version: 1\nscripts: [inline]\n", "entry": "/page.html", "flags": ["allow-modals"], "labels": {"a": "b"}, "ttl": 3600}`, &warm); status != 201 || len(warm.Sandboxes) != 2 {
		t.Fatalf("%d %+v", status, warm)
	}
	id := warm.Sandboxes[0].ID
	if w := warm.Sandboxes[0]; !w.Warm || w.Files != 0 || w.Revision != 1 || w.Entry != "/page.html" || w.Labels["a"] != "b" || w.Expires == nil {
		t.Errorf("it is %+v", w)
	}
	var problem struct{ Code, Pointer string }
	for body, want := range map[string]string{
		`{"warm": "` + id + `", "policy": "version: 1\n"}`:     "bad-field /policy",
		`{"warm": "` + id + `", "entry": "/"}`:                 "bad-field /entry",
		`{"warm": "` + id + `", "flags": ["allow-modals"]}`:    "bad-field /flags",
		`{"warm": "` + id + `", "permissions": ["camera"]}`:    "bad-field /permissions",
		`{"warm": "` + id + `", "fallback": "/none"}`:          "bad-field /fallback",
		`{"warm": "` + id + `", "files": {"x": {"text": ""}}}`: "bad-path ",
		`{"warm": "` + NewID() + `"}`:                          "unknown-sandbox ",
	} {
		problem.Pointer = ""
		if send("/sandboxes", body, &problem); problem.Code+" "+problem.Pointer != want {
			t.Errorf("%s: %+v, want %s", body, problem, want)
		}
	}
	if got := s.send(s.call("PATCH", "/sandboxes/"+id, `{"entry": "/other.html"}`), nil); got.status != 422 {
		t.Errorf("another entry, which views that have booted do not know: %d", got.status)
	}
	if w := s.Sandbox(id).Info(); !w.Warm || w.Revision != 1 || w.Name != "" || w.Labels["a"] != "b" || w.Entry != "/page.html" {
		t.Errorf("after refused requests it is %+v", s.Sandbox(id).Info())
	}
	var filled Info
	fill := `{"warm": "` + id + `", "name": "filled", "files": {"/page.html": {"text": "x"}}, "fallback": "/page.html", "labels": {"c": "d"}, "keep": true}`
	if status := send("/sandboxes", fill, &filled); status != 201 || filled.ID != id || filled.Warm || filled.Files != 1 || filled.Revision != 2 ||
		filled.Name != "filled" || filled.Fallback != "/page.html" || filled.Labels["c"] != "d" || filled.Labels["a"] != "" || filled.Expires != nil || !filled.Keep || filled.Flags[0] != "allow-modals" {
		t.Errorf("%d %+v", status, filled)
	}
	if policy, _ := s.Sandbox(id).Policy(); len(policy.Scripts) != 1 {
		t.Errorf("its policy allows the scripts %v", policy.Scripts)
	}
	if status := send("/sandboxes", fill, &problem); status != 409 || problem.Code != "not-warm" {
		t.Errorf("filled again: %d %+v", status, problem)
	}
	for body, pointer := range map[string]string{`{"count": 101}`: "/count", `{"count": -1}`: "/count", `{"entry": "x"}`: "/entry", `{"ttl": -1}`: "/ttl", `{"flags": ["x"]}`: "/flags"} {
		if status := send("/warm", body, &problem); status != 422 || problem.Pointer != pointer {
			t.Errorf("%s: %d %+v", body, status, problem)
		}
	}
	// Any change of the files fills it.
	other := s.Sandbox(warm.Sandboxes[1].ID)
	files, err := s.Store().Snapshot(map[string][]byte{"/page.html": []byte("x")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.SetPolicy(&rules.Policy{}); err != nil || !other.Info().Warm {
		t.Errorf("after a change of the policy: %+v, %v", other.Info(), err)
	}
	if _, err := other.SetFiles(files); err != nil || other.Info().Warm {
		t.Errorf("after a change of the files: %+v, %v", other.Info(), err)
	}
	if _, err := other.Fill(sandbox.Filling{Files: files}); !errors.Is(err, sandbox.ErrNotWarm) {
		t.Errorf("filling it: %v", err)
	}
}

// Warm makes all sandboxes or none.
func TestWarmMakesAllOrNone(t *testing.T) {
	s := startAPI(t, Config{Limits: Limits{Limits: SandboxLimits{Sandboxes: 3}}})
	if all, err := s.Warm(nil, 4); !errors.Is(err, ErrFull) || len(all) != 0 || len(s.Sandboxes()) != 0 {
		t.Errorf("%v, %v, and there are %d", all, err, len(s.Sandboxes()))
	}
	if all, err := s.Warm(nil, 3); err != nil || len(all) != 3 || !all[0].Info().Warm {
		t.Errorf("%v, %v", all, err)
	}
}
