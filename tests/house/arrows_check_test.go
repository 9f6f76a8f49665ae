package house

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkImports returns the violations of the tables, and rows that match nothing.
func checkImports(packages []goPackage) []string {
	c := imports{exists: map[string]bool{}, used: map[string]bool{}}
	for _, p := range packages {
		name := ours(p.ImportPath)
		c.exists[name] = true
		if _, ok := arrows[name]; !ok {
			c.problem("%s has no row in arrows: say what it may import, and why", name)
		}
		for _, path := range p.Imports {
			c.check(name, path, inTests(name))
		}
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			c.check(name, path, true)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arrows)) {
		if !c.exists[name] {
			c.problem("arrows has a row for %s, which does not exist", name)
		}
		for _, target := range arrows[name].to {
			if _, ok := arrows[target]; !ok {
				c.problem("arrows lets %s import %s, which has no row", name, target)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(forTestFiles)) {
		if !c.exists[name] {
			c.problem("forTestFiles has a row for %s, which does not exist", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if !c.used[name] {
			c.problem("modules has a row for %s, which nothing imports", name)
		}
	}
	return c.problems
}

type imports struct {
	exists, used map[string]bool
	problems     []string
}

func (c *imports) problem(format string, args ...any) {
	if p := fmt.Sprintf(format, args...); !slices.Contains(c.problems, p) {
		c.problems = append(c.problems, p)
	}
}

// check checks one import of the package called name. testing says that the import is in a
// test, or in a package that exists for tests.
func (c *imports) check(name, path string, testing bool) {
	who := name
	if testing && !inTests(name) {
		who += " (its tests)"
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case path == module || strings.HasPrefix(path, module+"/"):
		c.checkOurs(name, who, ours(path), testing)
	case strings.Contains(first, "."):
		c.checkModule(name, who, path, testing)
	case !testing && forTestsOnly[path] != "":
		c.problem("%s imports %s, which no production code does: %s", who, path, forTestsOnly[path])
	case !testing && keptOut[name][path] != "":
		c.problem("%s imports %s, which it does without: %s", who, path, keptOut[name][path])
	}
}

func (c *imports) checkOurs(name, who, target string, testing bool) {
	allowed := target == name || slices.Contains(arrows[name].to, target) || testing && slices.Contains(inTestsToo[name].to, target)
	if why := forTestFiles[target]; why != "" {
		if allowed = testing || allowed && forTestFiles[name] != ""; !allowed {
			c.problem("%s imports %s, which only tests do: %s", who, target, why)
			return
		}
	}
	if !allowed {
		c.problem("%s imports %s; it may import %q of ours: %s", who, target, arrows[name].to, arrows[name].why)
	}
}

func (c *imports) checkModule(name, who, path string, testing bool) {
	for m, o := range modules {
		if path != m && !strings.HasPrefix(path, m+"/") {
			continue
		}
		c.used[m] = true
		if !slices.Contains(o.by, name) && !(testing && o.testFiles) {
			c.problem("%s imports %s, which only %q may: %s", who, path, o.by, o.why)
		}
		return
	}
	c.problem("%s imports %s, which has no row in modules: say who may import it, and why", who, path)
}

// ours returns a package's name in the tables: its folder. A package in testdata belongs to
// the folder around it.
func ours(importPath string) string {
	if importPath == module {
		return "."
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(importPath, module+"/"), "/testdata/")
	return name
}

// inTests reports whether a package exists for tests only.
func inTests(name string) bool {
	return name == "tests" || strings.HasPrefix(name, "tests/") || forTestFiles[name] != ""
}
