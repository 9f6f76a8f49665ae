package npmpackage

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

const token = "a-token-of-the-configuration"

func withToken(c *server.Config) { c.Tokens = []string{token} }

func apiOf(g *glass.Server) string { return fmt.Sprintf("http://localhost:%d/api/v1", g.Port) }

// program returns a command that runs a module of a project in Node.js.
func program(t *testing.T, source string) (cmd *exec.Cmd, mistakes *strings.Builder) {
	t.Helper()
	dir := newProject(t, map[string]string{"program.mjs": source})
	cmd = exec.CommandContext(t.Context(), "node", "program.mjs")
	cmd.Dir, mistakes = dir, &strings.Builder{}
	cmd.Env = append(cmd.Environ(), "BELLGLASS_TOKEN="+token)
	cmd.Stderr = mistakes
	return cmd, mistakes
}

// The documented program takes a sandbox through its life, and runs code in the page that shows
// it.
func TestDocumentedProgram(t *testing.T) {
	t.Parallel()
	embedder := glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><title>Embedder</title><iframe src=%q></iframe>`, r.FormValue("src"))
	})
	g := glass.Start(t, withToken, func(c *server.Config) { c.Embedders = []string{embedder} })
	cmd, mistakes := program(t, replaced(t, documented(t, "Node.js", "js"), "http://localhost:3333/api/v1", apiOf(g)))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var lines []string
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		line := scanner.Text()
		if url, is := strings.CutPrefix(line, "show "); is {
			glass.OpenChromium(t, embedder+"/?src="+url)
			line = "show"
		}
		lines = append(lines, line)
	}
	err = cmd.Wait()
	if diff := cmp.Diff([]string{"show", "created", "files", "42", "removed"}, lines); diff != "" || err != nil {
		t.Errorf("the program ends with %v (-want +got):\n%s\n%s", err, diff, mistakes)
	}
}

// cutEvents cuts each stream of events after its first part.
func cutEvents(streams *atomic.Int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/events") {
				streams.Add(1)
				w = &cut{ResponseWriter: w}
			}
			next.ServeHTTP(w, r)
		})
	}
}

type cut struct {
	http.ResponseWriter
	written bool
}

func (c *cut) Write(b []byte) (int, error) {
	if c.written {
		return 0, errors.New("cut")
	}
	c.written = true
	return c.ResponseWriter.Write(b)
}

func (c *cut) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Across lost connections, each event comes once. A sandbox that ends meanwhile ends the loop.
func TestEventsResume(t *testing.T) {
	t.Parallel()
	var streams atomic.Int64
	g := glass.StartBehind(t, cutEvents(&streams), withToken)
	cmd, mistakes := program(t, fmt.Sprintf(`import { Client } from 'bellglass/node'
const client = new Client({ api: %q, token: %q })
const { id } = await client.createSandbox()
const seen = []
for await (const event of client.followEvents(id)) {
	seen.push(event.id + ' ' + event.step)
	if (event.step === 'removed') continue
	if (seen.length < 3) await client.putFile(id, '/a b%%.txt', 'contents ' + seen.length)
	else await client.deleteSandbox(id)
}
console.log(JSON.stringify(seen))
`, apiOf(g), token))
	out, err := cmd.Output()
	var seen []string
	if err != nil || json.Unmarshal(out, &seen) != nil {
		t.Fatalf("%v: %s\n%s", err, out, mistakes)
	}
	if diff := cmp.Diff([]string{"1 created", "2 files", "3 files"}, seen); diff != "" {
		t.Errorf("the events (-want +got):\n%s", diff)
	}
	if n := streams.Load(); n < 3 {
		t.Errorf("%d streams were opened, so little was cut", n)
	}
}

// Whatever goes wrong, the error is an APIError.
func TestErrors(t *testing.T) {
	t.Parallel()
	g := glass.Start(t, withToken)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/policy") {
			w.WriteHeader(http.StatusBadGateway)
		}
		fmt.Fprint(w, "<p>Not Bellglass")
	}))
	t.Cleanup(other.Close)
	cmd, mistakes := program(t, replaced(t, `import { APIError, Client } from 'bellglass/node'
const client = new Client({ api: 'API/', token: 'TOKEN' })
const { id } = await client.createSandbox({}, { idempotencyKey: 'one' })
const same = await client.createSandbox({}, { idempotencyKey: 'one' })
const other = new Client({ api: 'OTHER' })
const tries = {
	again: async () => { if (same.id !== id) throw new Error(same.id) },
	'no sandbox': () => client.getSandbox('a'.repeat(26)),
	'no sandbox to follow': () => client.followEvents('a'.repeat(26)).next(),
	'no token': () => new Client({ api: 'API' }).listSandboxes(),
	'an old revision': () => client.patchFiles(id, { set: { '/a': { text: '' } } }, { revision: 7 }),
	'a bad policy': () => client.putPolicy(id, 'version: 1\nrules:\n  - alow: https://a.example\n'),
	'a path of another operation': () => client.getFile(id, '/../policy'),
	'another server': () => other.getSandbox(id),
	'another server that refuses': () => other.getPolicy(id),
	'no server': () => new Client({ api: 'http://localhost:1/api/v1' }).getSandbox(id),
	aborted: () => client.getSandbox(id, { signal: AbortSignal.abort('enough') }),
	'aborted events': async () => {
		const leaving = new AbortController()
		for await (const event of client.followEvents(id, {}, { signal: leaving.signal })) leaving.abort('enough of ' + event.step)
	},
}
for (const [name, attempt] of Object.entries(tries)) {
	const said = await attempt().then(() => 'fine', (error) => error instanceof APIError
		? [error.code, error.status, error.detail !== '' && error.message === error.code + ': ' + error.detail, error.problem?.mistakes?.length].join(' ')
		: String(error))
	console.log(name + ': ' + said)
}
`, "API/", apiOf(g)+"/", "'API'", "'"+apiOf(g)+"'", "TOKEN", token, "OTHER", other.URL))
	out, err := cmd.Output()
	want := `again: fine
no sandbox: unknown-sandbox 404 true 
no sandbox to follow: unknown-sandbox 404 true 
no token: unauthorized 401 true 
an old revision: stale-revision 412 true 
a bad policy: bad-policy 422 true 1
a path of another operation: bad-path 0 true 
another server: bad-answer 200 true 
another server that refuses: refused 502 true 
no server: unreachable 0 true 
aborted: enough
aborted events: enough of created
`
	if diff := cmp.Diff(want, string(out)); diff != "" || err != nil {
		t.Errorf("the program ends with %v (-want +got):\n%s\n%s", err, diff, mistakes)
	}
}
