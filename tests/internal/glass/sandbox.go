package glass

import (
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// Policies that many tests share.
const (
	BlockAll   = "version: 1\ndefault: block\n"
	AllScripts = "version: 1\ndefault: block\nscripts: [inline, eval, wasm, blob]\n"
)

// BlankPage is an empty document, in which a test runs code.
const BlankPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Guard</title><body>`

// RanFiles are a page whose element #word says "ran", and that writes to its console.
var RanFiles = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Boot</title><p id="word">ran</p><script>console.log('code ran')</script>`,
}

// Files makes a snapshot in the server's store from texts by path.
func (g *Server) Files(t testing.TB, texts map[string]string) *vfs.Snapshot {
	t.Helper()
	contents := map[string][]byte{}
	for path, text := range texts {
		contents[path] = []byte(text)
	}
	snapshot, err := g.Store().Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// Parse parses a policy, which must be valid.
func Parse(t testing.TB, policy string) *rules.Policy {
	t.Helper()
	p, err := rules.Parse("rules.yaml", []byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// NewSandbox creates a sandbox with files and the text of a policy.
func (g *Server) NewSandbox(t testing.TB, texts map[string]string, policy string) *server.Sandbox {
	t.Helper()
	sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: g.Files(t, texts), Policy: Parse(t, policy)})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}
