package attack

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// astray lists paths of the sandbox's origin that read like another host's address. HOST is
// the canary's host and port.
var astray = []string{"//HOST/leak/x", "/.//HOST/leak/x", "/a/..//HOST/leak/x", `/\HOST/leak/x`, "//user@HOST/leak/x"}

// The code that keeps the worker's request at its origin, as the script has it, and the code
// of a careless worker.
var (
	refusesEmptySegments = [2]string{`path.includes("//")`, "false"}
	asksAtItsOrigin      = [2]string{"new URL(self.location.origin + path)", "new URL(path, self.location.origin)"}
	looksWhereItAsks     = [2]string{"if (url.origin !== self.location.origin) throw", "if (false) throw"}
)

// The worker requests large contents from the server by the page's own path, with a key.
// Neither the key nor the request may go to another host whose address the path resembles,
// even if a rule allows that host for something else. The control is a worker without the code
// that prevents it.
func TestSecretStaysAtTheSandboxOrigin(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*browser.Patience)
	defer cancel()
	for _, row := range []struct {
		name  string
		lacks [][2]string
		leaks bool
	}{
		{"careless worker", [][2]string{refusesEmptySegments, asksAtItsOrigin, looksWhereItAsks}, true},
		{"worker that asks at its origin", [][2]string{refusesEmptySegments, looksWhereItAsks}, false},
		{"worker", nil, false},
	} {
		host := fmt.Sprintf("127.0.0.1:%d", birds.Port())
		g := glass.StartBehind(t, func(next http.Handler) http.Handler { return withoutLines(t, next, row.lacks) })
		files := g.Files(t, map[string]string{"/index.html": glass.BlankPage, "/large.txt": strings.Repeat("no HTML, and too large to come with the state\n", 2000)})
		// The rule allows neither the method nor the type of the attempt.
		policy := glass.Parse(t, glass.AllScripts+fmt.Sprintf("rules:\n  - id: other\n    allow: http://%s/**\n    methods: [PUT]\n    types: [fetch]\n", host))
		sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: files, Policy: policy, Fallback: "/large.txt"})
		if err != nil {
			t.Fatal(err)
		}
		v := g.Open(t, "localhost", sandbox)
		before := len(birds.All())
		for _, path := range astray {
			v.Nest(strings.ReplaceAll(path, "HOST", host), "() => true")
		}
		if err := v.Page.Context().Close(); err != nil { // and with it all its connections
			t.Fatal(err)
		}
		if err := birds.Quiesce(ctx); err != nil {
			t.Fatal(err)
		}
		arrived, keys := 0, 0
		for _, hit := range birds.All()[before:] {
			if hit.Kind != "http" {
				continue
			}
			arrived++
			if hit.Header.Get(protocol.SecretHeader)+hit.Header.Get(protocol.KeyHeader) != "" {
				keys++
			}
		}
		if (arrived > 0) != row.leaks || (keys > 0) != row.leaks {
			t.Errorf("of the %s %d requests arrived, %d with a key; want some: %v", row.name, arrived, keys, row.leaks)
		}
	}
}

// withoutLines serves the worker's script with some of its lines replaced.
func withoutLines(t *testing.T, next http.Handler, lines [][2]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != protocol.WorkerPath || len(lines) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		script := recorded.Body.String()
		for _, line := range lines {
			if n := strings.Count(script, line[0]); n != 1 {
				t.Errorf("the worker's script has %q %d times, want once", line[0], n)
			}
			script = strings.Replace(script, line[0], line[1], 1)
		}
		maps.Copy(w.Header(), recorded.Header())
		w.Header().Set("Content-Length", strconv.Itoa(len(script)))
		w.WriteHeader(recorded.Code)
		io.WriteString(w, script)
	})
}
