package server

import (
	"archive/tar"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/registrytest"
	"github.com/bellglass/bellglass/server/api"
)

// createSandbox fetches packages, which the sources then import. A request for an unavailable
// package makes no sandbox.
func TestSandboxesWithPackages(t *testing.T) {
	registry := registrytest.New(t)
	random := rand.Text()
	for len(random) < 80_000 { // which does not compress well
		random += rand.Text()
	}
	registry.Publish(t,
		registrytest.Package{Name: "left", Version: "1.2.0", Files: map[string]string{"index.js": "exports.side = 'left'"}},
		registrytest.Package{Name: "both", Version: "1.0.0", Manifest: map[string]any{"dependencies": map[string]string{"left": "^1"}}, Files: map[string]string{"index.js": "exports.both = require('left').side"}},
		registrytest.Package{Name: "deep", Version: "1.0.0", Files: map[string]string{"index.js": strings.Repeat("(", 200_000)}},
		registrytest.Package{Name: "failing", Version: "1.0.0"},
		registrytest.Package{Name: "lost", Version: "1.0.0"},
		registrytest.Package{Name: "changed", Version: "1.0.0"},
		registrytest.Package{Name: "large", Version: "1.0.0", Files: map[string]string{"index.js": strings.Repeat("x", 1_000_000)}},
		registrytest.Package{Name: "linking", Version: "1.0.0", Tarball: registrytest.Tarball(t, registrytest.Entry{Name: "package/x", Link: "/etc/passwd", Type: tar.TypeSymlink})},
		registrytest.Package{Name: "noise", Version: "1.0.0", Files: map[string]string{"index.js": random}},
		registrytest.Package{Name: "more-noise", Version: "1.0.0", Files: map[string]string{"index.js": random + "1"}},
		registrytest.Package{Name: "many", Version: "1.0.0", Manifest: map[string]any{"dependencies": map[string]string{"left": "1", "both": "1", "deep": "1", "lost": "1"}}},
		registrytest.Package{Name: "needs-none", Version: "1.0.0", Manifest: map[string]any{"dependencies": map[string]string{"none": "^7"}}},
		registrytest.Package{Name: "needs-git", Version: "1.0.0", Manifest: map[string]any{"dependencies": map[string]string{"left": "git+https://x.example/y"}}},
	)
	registry.Fail("/failing", 403)
	registry.Fail("/lost/-/lost-1.0.0.tgz", 500)
	registry.Corrupt("/changed/-/changed-1.0.0.tgz")
	var attempts atomic.Int64
	s := startAPI(t, Config{Packages: &packages.Options{
		Say: func(say string) {
			if say == "Bundling deep 1.0.0" {
				attempts.Add(1)
			}
		},
		Cache: t.TempDir(), Registry: registry.URL, Pause: 1, Limits: packages.Limits{Packages: 4, PackageBytes: 500_000, TotalBytes: 100_000},
	}})
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
	// A package that crashes the bundler is an error of its import. It is not bundled again.
	status, made = create(s, `{"packages": ["deep", "left"], "files": {"/main.ts": {"text": "import 'deep'; import 'left'"}}}`)
	for i, status := range []int{201, 200, 200} {
		if got := s.send(s.call("PUT", "/sandboxes/"+made.ID+"/files/other.ts", strings.Repeat("1", i+1)), nil); got.status != status {
			t.Fatal(got.status, got.body)
		}
	}
	if n := attempts.Load(); n != 1 {
		t.Errorf("the package was bundled %d times", n)
	}
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
		{`"needs-none"`, 422, "bad-package", "", "The package needs-none@1.0.0 depends on none@^7. The registry has no package none."},
		{`"needs-git"`, 422, "bad-package", "", "is not a version in a registry"},
		{`"many"`, 422, "bad-package", "", "more than 4 packages"},
		{`"large"`, 422, "bad-package", "", "The package large 1.0.0 cannot be used: the tarball unpacks to more than 500000 bytes"},
		{`"noise", "more-noise"`, 422, "bad-package", "", "more than 100000 bytes together"},
		{`"linking"`, 422, "bad-package", "", "has a link"},
		{`"changed"`, 502, "registry", "", "the registry's tarball of changed 1.0.0 does not match its published integrity"},
		{`"lost"`, 502, "registry", "", "The server's log says why"},
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
		if host := strings.TrimSuffix(strings.TrimPrefix(registry.URL, "http://"), "/"); strings.Contains(got.Detail, host) {
			t.Errorf("%.50s: the detail contains the registry's address: %s", row.packages, got.Detail)
		}
		if len(s.Sandboxes()) != before {
			t.Errorf("%.50s: there is a sandbox", row.packages)
		}
	}
	if status, got := create(startAPI(t, Config{}), `{"packages": ["left"]}`); status != 422 || got.Code != "bad-package" || !strings.Contains(got.Detail, "fetches no packages") {
		t.Errorf("a server without packages answers %d %+v", status, got)
	}
}

// A request waits a short time for others that fetch packages. It also stops when the server ends or
// the client disconnects.
func TestWaitForPackages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{PublicURL: "http://localhost:4000", Packages: &packages.Options{Cache: t.TempDir()}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range loadsAtOnce {
			s.loading <- struct{}{}
		}
		check := func(ctx context.Context, says string, after time.Duration, wait string) {
			t.Helper()
			w, began := httptest.NewRecorder(), time.Now()
			x, r := s.exchange(w, httptest.NewRequestWithContext(ctx, "POST", "/", nil))
			_, err := s.loadPackages(r.Context(), map[string]string{"left": "1"})
			refusal, ok := errors.AsType[*api.Refusal](err)
			if !ok || refusal.Status != 503 || refusal.Code != "busy" || !strings.Contains(refusal.Text, says) || time.Since(began) != after || x.Header().Get("Retry-After") != wait {
				t.Errorf("after %s: %v, Retry-After %q", time.Since(began), err, x.Header().Get("Retry-After"))
			}
		}
		check(t.Context(), "for 4 other requests", 10*time.Second, "10")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		check(ctx, "disconnected", time.Second, "")
		time.AfterFunc(2*time.Second, s.End)
		check(t.Context(), "shutting down", 2*time.Second, "")
	})
}

// A registry that never answers does not hold a server that ends.
func TestEndWhilePackagesAreFetched(t *testing.T) {
	asked, release := make(chan struct{}, 10), make(chan struct{})
	registry := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer registry.Close()
	defer close(release)
	s := startAPI(t, Config{Packages: &packages.Options{Cache: t.TempDir(), Registry: registry.URL, Pause: 1}})
	done := make(chan error)
	go func() {
		_, err := s.loadPackages(t.Context(), map[string]string{"left": "1"})
		done <- err
	}()
	<-asked
	s.End()
	select {
	case err := <-done:
		if err != errEndingLoad {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the request still waits for the registry")
	}
}
