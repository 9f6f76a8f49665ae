package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

// testName matches the name of a test, a fuzz target, or a benchmark. A name after a dot
// belongs to another module, such as fstest.TestFS.
var testName = regexp.MustCompile(`(?:^|[^.\w])((?:Test|Fuzz|Benchmark)[A-Z]\w*)`)

// Documents and comments name tests as proof. When a test is renamed or removed, they must
// follow.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	exists := map[string]bool{}
	texts := map[string][]place{}
	for _, name := range repository.Files(t, ".go") {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(repository.Root(t), name), nil, parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, declared := range declaredNames(file) {
			exists[declared] = true
		}
		for _, group := range file.Comments {
			texts[name] = append(texts[name], place{files.Position(group.Pos()).Line, group.Text()})
		}
	}
	for _, ext := range []string{".md", ".ts", ".js", ".mjs", ".yml"} {
		for _, name := range repository.Files(t, ext) {
			for i, line := range strings.Split(string(repository.Read(t, name)), "\n") {
				texts[name] = append(texts[name], place{i + 1, line})
			}
		}
	}
	named := 0
	for name, places := range texts {
		for _, p := range places {
			for _, test := range testNames(p.text) {
				if named++; !exists[test] {
					t.Errorf("%s:%d names %s, which does not exist", filepath.ToSlash(name), p.line, test)
				}
			}
		}
	}
	if named == 0 {
		t.Error("no document names a test: the check finds nothing")
	}
}

// A place is a text, with the line on which it begins.
type place struct {
	line int
	text string
}

// testNames returns the names of tests that a text contains.
func testNames(text string) (names []string) {
	for _, m := range testName.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// declaredNames returns the names of a file's functions, types, and fields. Names of types and
// fields, such as TestResult, can look like tests, and comments mention them.
func declaredNames(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
		case *ast.Field:
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
		}
		return true
	})
	return names
}

// The check finds names of tests, and nothing else.
func TestNamesOfTestsAreFound(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"`TestBoot`, FuzzCompile": {"TestBoot", "FuzzCompile"},
		"(TestA/TestB)":           {"TestA", "TestB"},
		"run -run=BenchmarkX_1":   {"BenchmarkX_1"},
		"fstest.TestFS":           nil,
		"testing, Tests, Testing": nil,
		"aTestOfTime":             nil,
	} {
		if got := testNames(text); !slices.Equal(got, want) {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
}
