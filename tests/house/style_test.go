package house

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

// Every package has exactly one package comment, so that no second one contradicts it.
func TestPackageDocs(t *testing.T) {
	docs := map[string][]string{} // by folder: the files with a package comment
	for _, name := range repository.Files(t, ".go") {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository.Root(t), name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		dir := filepath.Dir(name)
		docs[dir] = append(docs[dir], nil...)
		if file.Doc != nil && file.Doc.Text() != "" {
			docs[dir] = append(docs[dir], name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(docs)) {
		if len(docs[dir]) != 1 {
			t.Errorf("%s: %d package comments %q, want one", dir, len(docs[dir]), docs[dir])
		}
	}
}

func TestGofmt(t *testing.T) {
	for _, name := range repository.Files(t, ".go") {
		src := repository.Read(t, name)
		formatted, err := format.Source(src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(src, formatted) {
			t.Errorf("%s is not formatted: run gofmt -w %s", name, name)
		}
	}
}

// machinePath finds paths that exist on one machine only. Its parts are concatenated so that
// it does not match itself.
var machinePath = regexp.MustCompile(`/wo` + `rk/|/home/[a-z]\w*/|/Users/\w+/|(^|[\s"'=:(,` + "`" + `])/ro` + `ot/|[A-Z]:\\Users\\`)

func TestNoMachinePaths(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"cd /wo" + "rk/main", true}, {`"/ro` + `ot/.cache"`, true}, {"/home/" + "eve/x", true}, {"/Users/" + "eve/x", true},
		{"the folder root/x", false}, {"https://example.com/home/", false}, {"files/ro" + "ot/a.txt", false},
	} {
		if got := machinePath.MatchString(test.text); got != test.want {
			t.Errorf("found in %q: %v", test.text, got)
		}
	}
	var home []byte
	if dir, err := os.UserHomeDir(); err == nil && len(dir) > 1 {
		home = []byte(dir + string(filepath.Separator))
	}
	for _, name := range repository.Files(t, "") {
		for i, line := range bytes.Split(repository.Read(t, name), []byte("\n")) {
			if machinePath.Match(line) || home != nil && bytes.HasPrefix(bytes.TrimSpace(line), home) {
				t.Errorf("%s:%d names a path of one machine: %.120s", name, i+1, bytes.TrimSpace(line))
			}
		}
	}
}
