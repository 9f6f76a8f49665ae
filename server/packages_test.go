package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/registrytest"
)

// A sandbox is created with packages, which its sources then import. A request that cannot have
// them makes no sandbox.
func TestSandboxesWithPackages(t *testing.T) {
	registry := registrytest.New(t)
	registry.Publish(t,
		registrytest.Package{Name: "left", Version: "1.2.0", Files: map[string]string{"index.js": "exports.side = 'left'"}},
		registrytest.Package{Name: "both", Version: "1.0.0", Manifest: map[string]any{"dependencies": map[string]string{"left": "^1"}}, Files: map[string]string{"index.js": "exports.both = require('left').side"}},
		registrytest.Package{Name: "deep", Version: "1.0.0", Files: map[string]string{"index.js": strings.Repeat("(", 200_000)}},
		registrytest.Package{Name: "failing", Version: "1.0.0"},
	)
	registry.Fail("/failing", 403)
	s := startAPI(t, Config{Packages: &packages.Options{Cache: t.TempDir(), Registry: registry.URL, Pause: 1}})
	create := func(s *apiServer, body string) (status int, answer struct {
		ID, Code, Detail, Pointer string
		Packages                  map[string]string
	}) {
		t.Helper()
		got := s.send(s.call("POST", "/sandboxes", body), nil)
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
			t.Fatal(err, got.body)
		}
		return got.status, answer
	}
	const files = `"files": {"/main.ts": {"text": "import { both } from 'both'; import { side } from 'left'; console.log(both, side)"}}`
	status, made := create(s, `{"packages": ["both", "left@1"], "entry": "/main.ts", `+files+`}`)
	if status != 201 || made.Packages["both"] != "1.0.0" || made.Packages["left"] != "1.2.0" {
		t.Fatalf("%d %+v", status, made)
	}
	v, _ := s.Sandbox(made.ID).Version()
	if len(v.Diagnostics) > 0 {
		t.Errorf("the sources have %+v", v.Diagnostics)
	}
	entry, _ := v.Served.Lookup(compile.ScriptPath("/main.ts"))
	blob, _ := v.Served.Blob(entry.Hash)
	if text, err := blob.Bytes(); err != nil || !strings.Contains(string(text), `"/node_modules/.bellglass/both@1.0.0/index.js"`) {
		t.Errorf("the script is %s, %v", text, err)
	}
	// What a package does to the bundler is an error of its import.
	status, made = create(s, `{"packages": ["deep"], "files": {"/main.ts": {"text": "import 'deep'"}}}`)
	if status != 201 {
		t.Fatalf("%d %+v", status, made)
	}
	v, _ = s.Sandbox(made.ID).Version()
	if len(v.Diagnostics) != 1 || !strings.Contains(v.Diagnostics[0].Text, "bundling deep@1.0.0 needs more than") {
		t.Errorf("the sources have %+v", v.Diagnostics)
	}
	for _, row := range []struct {
		packages string
		status   int
		code     string
		pointer  string
		says     string
	}{
		{`"none"`, 422, "bad-package", "", "has no package none"},
		{`"left@^2"`, 422, "bad-package", "", `no version that matches "^2"`},
		{`"left", "left@1"`, 422, "bad-field", "/packages/1", "twice"},
		{`"left", "../x"`, 422, "bad-field", "/packages/1", "is not a package name"},
		{`""`, 422, "bad-field", "/packages/0", "an empty package name"},
		{`"left@git+https://x.example/y"`, 422, "bad-field", "/packages/0", "is not a version in a registry"},
		{strings.Join(slices.Repeat([]string{`"left"`}, 101), ","), 422, "bad-field", "/packages", "at most 100"},
		{`"failing"`, 502, "registry", "", "The server's log says why"},
	} {
		before := len(s.Sandboxes())
		status, got := create(s, `{"packages": [`+row.packages+`]}`)
		if status != row.status || got.Code != row.code || got.Pointer != row.pointer || !strings.Contains(got.Detail, row.says) {
			t.Errorf("%.50s: %d %+v", row.packages, status, got)
		}
		if len(s.Sandboxes()) != before {
			t.Errorf("%.50s: there is a sandbox", row.packages)
		}
	}
	if status, got := create(startAPI(t, Config{}), `{"packages": ["left"]}`); status != 422 || got.Code != "bad-package" || !strings.Contains(got.Detail, "adds no packages") {
		t.Errorf("a server without packages answers %d %+v", status, got)
	}
}
