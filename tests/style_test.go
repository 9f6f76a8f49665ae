package tests

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every package is introduced by one comment, and by no second one that
// contradicts it.
func TestPackageDocs(t *testing.T) {
	docs := map[string][]string{} // by folder: the files with a package comment
	for _, name := range repositoryFiles(t, ".go") {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository(t), name), nil, parser.PackageClauseOnly|parser.ParseComments)
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
	for _, dir := range sortedKeys(docs) {
		if len(docs[dir]) != 1 {
			t.Errorf("%s: %d package comments %q, want one", dir, len(docs[dir]), docs[dir])
		}
	}
}

func TestGofmt(t *testing.T) {
	for _, name := range repositoryFiles(t, ".go") {
		src := readFile(t, name)
		formatted, err := format.Source(src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(src, formatted) {
			t.Errorf("%s is not formatted: run gofmt -w %s", name, name)
		}
	}
}

// machinePath finds what is true on one machine only. It is put together so
// that it does not find itself.
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
	for _, name := range repositoryFiles(t, "") {
		for i, line := range bytes.Split(readFile(t, name), []byte("\n")) {
			if machinePath.Match(line) || home != nil && bytes.HasPrefix(bytes.TrimSpace(line), home) {
				t.Errorf("%s:%d names a path of one machine: %.120s", name, i+1, bytes.TrimSpace(line))
			}
		}
	}
}

// repositoryFiles returns the text files with an extension, or all of them,
// relative to the root. What Git or a tool keeps for itself is left out, and
// source in testdata, which is somebody else's on purpose.
func repositoryFiles(t testing.TB, ext string) []string {
	t.Helper()
	root := repository(t)
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", ".task", "node_modules", "artifacts"}, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), ext):
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if ext != "" && slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "testdata") {
			return nil
		}
		if !binary(t, name) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no %q file in the repository", ext)
	}
	return names
}

// binary goes by what Git goes by: a zero byte near the beginning.
func binary(t testing.TB, name string) bool {
	t.Helper()
	b := readFile(t, name)
	return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(repository(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
