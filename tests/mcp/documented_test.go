package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// documented returns the first code block of a kind below a heading of a page in docs/.
func documented(t testing.TB, page, heading, kind string) string {
	t.Helper()
	_, section, found := strings.Cut("\n"+string(repository.Read(t, "docs/"+page)), "\n"+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, rest, begun := strings.Cut(section, "\n```"+kind+"\n")
	block, _, ended := strings.Cut(rest, "```")
	if !found || !begun || !ended {
		t.Fatalf("%s has no block of %s below %s", page, kind, heading)
	}
	return block
}

// documentedProxy is the proxy's origin in the documentation.
const documentedProxy = "http://sandbox.localhost:3333"

// at replaces the proxy's origin in a script of the documentation by a JavaScript expression.
func at(t testing.TB, script, expression string) string {
	t.Helper()
	placed := strings.NewReplacer("'"+documentedProxy+"'", expression, "'"+documentedProxy, expression+" + '", "`"+documentedProxy, "`${"+expression+"}").Replace(script)
	if placed == script || strings.Contains(placed, documentedProxy) {
		t.Fatalf("the script does not name %s as it should:\n%s", documentedProxy, script)
	}
	return placed
}

// The client code in docs/btcp.md runs a tool.
func TestDocumentedBTCPClient(t *testing.T) {
	t.Parallel()
	g, host := startBTCPClient(t, btcp.Options{})
	var got any
	glass.OpenChromium(t, host).Eval(t, fmt.Sprintf(`new Promise((resolve) => {
		console.log = resolve
		%s
	})`, at(t, documented(t, "btcp.md", "# Running BTCP tools", "js"), glass.Literal(t, proxyOrigin(g)))), &got)
	if want := map[string]any{"id": "1", "type": "result", "result": 5.0}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the documented client hears %v, want %v", got, want)
	}
}
