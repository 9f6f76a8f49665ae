package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

// withScheme lists files whose texts contain http://, with the reason why that is not an
// address of the server. Addresses of the server come from server/address.go.
var withScheme = map[string]string{
	"cli/serve.go":              "an address that hosts of MCP Apps have in their code, in a help text",
	"examples/mcp-host/host.go": "the example's own page",
	"examples/viewer/viewer.go": "the example's own page",
	"mcpapps/headers.go":        "an example in an error",
	"rules/compile.go":          "what to write in a rule",
	"rules/rule/settled.go":     "reads URLs",
	"selftest/answer.go":        "names of XML",
	"selftest/guard.go":         "the self-test is never over TLS, and compares the whole origin",
	"selftest/plain.go":         "the self-test's pages without defenses, which are never over TLS",
}

// No package writes an address of the server itself, because it would be wrong for another
// scheme.
func TestAddressesComeFromOnePlace(t *testing.T) {
	found := map[string]bool{}
	for _, name := range repository.Files(t, ".go") {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "tests/") || strings.HasPrefix(name, "bench/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository.Root(t), name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Contains(text.Value, "http://") {
				found[name] = true
			}
			return true
		})
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if withScheme[name] == "" {
			t.Errorf("%s writes http://; take the address from server.Config.Origins, Server.PublicURL or Listeners.URL", name)
		}
	}
	for name := range withScheme {
		if !found[name] {
			t.Errorf("%s is excepted, and has no http:// any more", name)
		}
	}
}
