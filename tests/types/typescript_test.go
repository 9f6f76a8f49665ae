// Package types has the TypeScript compiler check every project of the repository. It is
// apart from the rules in tests/house because it keeps two cores busy for half a minute.
package types

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// Every tsconfig.json passes the type checker, and every TypeScript file belongs to one, so
// that no file is unchecked. The product itself needs no TypeScript compiler, because esbuild
// drops types without checking them. The test excludes the programs of tests/written: they are users'
// projects without the types of their packages, and another test runs them.
func TestTypeScript(t *testing.T) {
	typescript, err := npm.Dir("typescript")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	checked := map[string]bool{}
	t.Run("projects", func(t *testing.T) {
		for _, config := range ours(t, "tsconfig.json") {
			t.Run(filepath.Dir(config), func(t *testing.T) {
				t.Parallel()
				files := typeCheck(t, typescript, config)
				mu.Lock()
				defer mu.Unlock()
				for _, name := range files {
					checked[name] = true
				}
			})
		}
	})
	for _, name := range ours(t, ".ts") {
		if !checked[name] {
			t.Errorf("%s belongs to no tsconfig.json, so nothing checks it", name)
		}
	}
}

// ours lists the files with a suffix, apart from those programs. Having none is a failure.
func ours(t *testing.T, suffix string) []string {
	programs := filepath.Join("tests", "written", "programs") + string(filepath.Separator)
	return slices.DeleteFunc(repository.Files(t, suffix), func(name string) bool { return strings.HasPrefix(name, programs) })
}

// typeCheck reports the compiler's errors, and returns the files of the repository that it
// read.
func typeCheck(t *testing.T, typescript, config string) []string {
	root := repository.Root(t)
	compiler := filepath.Join(typescript, "lib", "tsc.js")
	cmd := exec.CommandContext(t.Context(), "node", compiler, "--noEmit", "--listFiles", "--pretty", "false", "-p", config)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	var files, said []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if !filepath.IsAbs(line) {
			said = append(said, line)
		} else if name, err := filepath.Rel(root, filepath.FromSlash(line)); err == nil && filepath.IsLocal(name) {
			files = append(files, name)
		}
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", config, err, strings.Join(said, "\n"))
	}
	if len(files) == 0 {
		t.Errorf("%s: the compiler read no file of ours", config)
	}
	return files
}
