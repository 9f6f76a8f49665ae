// Package house proves that the repository keeps its own rules.
//
//   - arrows_test.go and its table say which package may import which, with the reasons;
//   - style_test.go checks the style of the sources;
//   - sentences_test.go keeps the sentences of the documents short.
package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

const module = "github.com/bellglass/bellglass"

// A goPackage is part of the output of `go list -json` for a package.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// TestArrows checks the imports of the whole repository against the table.
func TestArrows(t *testing.T) {
	for _, problem := range checkImports(listPackages(t)) {
		t.Error(problem)
	}
}

// The check finds violations.
func TestArrowsCanFail(t *testing.T) {
	p := func(name string, imports ...string) goPackage { return goPackage{ImportPath: name, Imports: imports} }
	for _, test := range []struct {
		pkg  goPackage
		want string
	}{
		{p(module + "/novelty"), "novelty has no row in arrows"},
		{p(module+"/rules", module+"/server"), "rules imports server"},
		{p(module+"/vfs", "github.com/labstack/echo/v4/middleware"), "vfs imports github.com/labstack/echo/v4/middleware"},
		{p(module+"/vfs", "github.com/labstack/echoes"), "vfs imports github.com/labstack/echoes, which has no row in modules"},
		{p(module+"/vfs", "testing"), "vfs imports testing"},
		{p(module+"/sandbox", "net/http"), "sandbox imports net/http"},
		{p(module+"/server", module+"/firewall/firewalltest"), "server imports firewall/firewalltest"},
		{goPackage{ImportPath: module + "/rules", XTestImports: []string{module + "/server"}}, "rules (its tests) imports server"},
		{goPackage{ImportPath: module + "/rules", TestImports: []string{"github.com/labstack/echo/v4"}}, "rules (its tests) imports github.com/labstack/echo/v4"},
		{p(module + "/rules"), "arrows has a row for vfs, which does not exist"},
		{p(module + "/rules"), "modules has a row for github.com/gobwas/glob, which nothing imports"},
	} {
		problems := checkImports([]goPackage{test.pkg})
		if !slices.ContainsFunc(problems, func(s string) bool { return strings.HasPrefix(s, test.want) }) {
			t.Errorf("%+v: no problem begins with %q in %q", test.pkg, test.want, problems)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	// -e, because reporting code that does not compile is not this test's job.
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = repository.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
