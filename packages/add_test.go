package packages

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/packages/registrytest"
)

// filesIn returns the names and contents of a folder's files.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[entry.Name()] = string(text)
	}
	return all
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAdd(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, react("18.0.0")...)
	r.Publish(t, react("19.2.0")...)
	r.Publish(t, simple("beta", "1.0.0"), pkg{Name: "beta", Version: "2.0.0-rc.1", Tag: "next"})
	o := options(t, r)
	dir := t.TempDir()
	set, added, err := Add(t.Context(), dir, []string{"react-dom", "react@18 || 19"}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []Added{{"react", "^19.2.0", "19.2.0"}, {"react-dom", "^19.2.0", "19.2.0"}}
	if diff := cmp.Diff(want, added); diff != "" || set.Size() != 2 {
		t.Errorf("%d packages, (-want +got):\n%s", set.Size(), diff)
	}
	if path, ok := set.Resolve("react"); !ok || set.Files()[path] == nil {
		t.Error("the main entry is not bundled")
	}
	files := filesIn(t, dir)
	if files["package.json"] != "{\n  \"dependencies\": {\n    \"react\": \"^19.2.0\",\n    \"react-dom\": \"^19.2.0\"\n  }\n}\n" || !strings.Contains(files["bellglass-lock.json"], `"react-dom@19.2.0": {`) || len(files) != 2 {
		t.Errorf("the folder has %q", files)
	}

	// Open and a second Add ask nobody, and change nothing.
	r.Requests()
	opened, err := Open(t.Context(), dir, o)
	if err != nil || opened.Dependencies()["react"] != "19.2.0" {
		t.Errorf("%v, %v", opened, err)
	}
	if _, added, err := Add(t.Context(), dir, nil, o); err != nil || len(added) != 2 {
		t.Errorf("%v, %v", added, err)
	}
	if diff := cmp.Diff(files, filesIn(t, dir)); diff != "" || len(r.Requests()) > 0 {
		t.Errorf("the folder has changed (-before +after):\n%s", diff)
	}

	// Another version and a tag; the rest stays.
	if _, added, err = Add(t.Context(), dir, []string{"react@18", "react-dom@18", "beta@next"}, o); err != nil {
		t.Fatal(err)
	}
	want = []Added{{"beta", "^2.0.0-rc.1", "2.0.0-rc.1"}, {"react", "^18.0.0", "18.0.0"}, {"react-dom", "^18.0.0", "18.0.0"}}
	if diff := cmp.Diff(want, added); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if lock := filesIn(t, dir)["bellglass-lock.json"]; strings.Contains(lock, "19.2.0") {
		t.Errorf("the lock has what nobody needs:\n%s", lock)
	}
}

// A failure changes nothing, and a package.json keeps its form.
func TestAddMistakes(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0"), simple("gone", "1.0.0"), pkg{Name: "types", Version: "1.0.0", Files: map[string]string{"index.d.ts": ""}}, pkg{Name: "wrong", Version: "1.0.0", Files: map[string]string{"index.js": "var ="}})
	r.Fail("/gone/-/gone-1.0.0.tgz", 404)
	o := options(t, r)
	dir := t.TempDir()
	writeFile(t, dir, "package.json", "{\n\t\"scripts\": {},\n\t\"dependencies\": {\"z\": \"1\"}, \"name\": \"x\"\n}")
	before := filesIn(t, dir)
	for argument, says := range map[string]string{"a": "needs z@1", "a@file:../a": "not a version", "../a": "not a package name", "": "an empty package name"} {
		if _, _, err := Add(t.Context(), dir, []string{argument}, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", argument, err)
		}
	}
	r.Publish(t, simple("z", "1.0.0"))
	o.Cache = t.TempDir()
	for argument, says := range map[string]string{"gone": "status 404", "a@2": "no version", "none": "has no package none"} {
		if _, _, err := Add(t.Context(), dir, []string{"a", argument}, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", argument, err)
		}
	}
	if _, _, err := Add(t.Context(), filepath.Join(dir, "none"), []string{"a"}, o); err == nil || !strings.Contains(err.Error(), "there is no folder") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, filesIn(t, dir)); diff != "" {
		t.Errorf("the folder has changed (-before +after):\n%s", diff)
	}

	// What cannot be bundled is added with a note.
	set, _, err := Add(t.Context(), dir, []string{"types", "wrong", "a"}, o)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(set.Notes(), "\n"); !strings.Contains(notes, "types@1.0.0 has no types: it has no main file") || !strings.Contains(notes, "wrong@1.0.0 cannot be bundled") {
		t.Errorf("the notes are %q", notes)
	}
	want := "{\n\t\"scripts\": {},\n\t\"dependencies\": {\"a\": \"^1.0.0\",\n\t\t\"types\": \"^1.0.0\",\n\t\t\"wrong\": \"^1.0.0\",\n\t\t\"z\": \"1\"}, \"name\": \"x\"\n}"
	if diff := cmp.Diff(want, filesIn(t, dir)["package.json"]); diff != "" {
		t.Errorf("package.json (-want +got):\n%s", diff)
	}
	writeFile(t, dir, "package.json", "{")
	if _, _, err := Add(t.Context(), dir, nil, o); err == nil || !strings.Contains(err.Error(), "package.json cannot be read") {
		t.Errorf("%v", err)
	}
}

func TestOpenWithoutPackageJSON(t *testing.T) {
	set, err := Open(t.Context(), t.TempDir(), options(t, registrytest.New(t)))
	if err != nil || len(set.Dependencies()) != 0 || len(set.Files()) != 0 {
		t.Errorf("%v, %v", set, err)
	}
}

// installedFiles is a node_modules as npm and pnpm make it.
func installedFiles() map[string]string {
	files := map[string]string{"package.json": `{"dependencies": {"react": "^19.0.0", "react-dom": "^19", "lib": "file:../lib"}}`}
	for _, p := range react("19.2.0") {
		at := "node_modules/" + p.Name + "/"
		if p.Name == "react-dom" {
			at = "node_modules/.pnpm/react-dom@19.2.0/node_modules/react-dom/"
			files["node_modules/.pnpm/react-dom@19.2.0/node_modules/react/package.json"] = `{"name": "react", "version": "19.2.0", "main": "no.js"}`
		}
		files[at+"package.json"] = `{"name": "` + p.Name + `", "version": "19.2.0"}`
		for name, text := range p.Files {
			files[at+name] = text
		}
	}
	files["node_modules/lib/package.json"] = `{"name": "lib", "version": "1.0.0", "dependencies": {"nested": "1"}}`
	files["node_modules/lib/index.js"] = "module.exports = require('nested')"
	files["node_modules/lib/node_modules/nested/package.json"] = `{"name": "nested", "version": "1.0.0"}`
	files["node_modules/lib/node_modules/nested/index.js"] = "exports.nested = 'first'"
	return files
}

// A node_modules is used as it is, also with links, and nobody is asked.
func TestNodeModules(t *testing.T) {
	r := registrytest.New(t)
	o := options(t, r)
	dir := t.TempDir()
	for name, text := range installedFiles() {
		writeFile(t, dir, name, text)
	}
	if err := os.Symlink(filepath.Join(".pnpm", "react-dom@19.2.0", "node_modules", "react-dom"), filepath.Join(dir, "node_modules", "react-dom")); err != nil {
		t.Fatal(err)
	}
	// What a package imports lies beside where it really is.
	store := "node_modules/.pnpm/linked@1.0.0/node_modules/"
	writeFile(t, dir, store+"linked/package.json", `{"name": "linked", "version": "1.0.0", "dependencies": {"sibling": "1"}}`)
	writeFile(t, dir, store+"linked/index.js", "exports.linked = require('sibling')")
	writeFile(t, dir, store+"sibling/package.json", `{"name": "sibling", "version": "1.0.0"}`)
	writeFile(t, dir, store+"sibling/index.js", "module.exports = 'sibling'")
	if err := os.Symlink(filepath.Join(".pnpm", "linked@1.0.0", "node_modules", "linked"), filepath.Join(dir, "node_modules", "linked")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "package.json", `{"dependencies": {"react": "^19.0.0", "react-dom": "^19", "lib": "file:../lib", "linked": "*"}}`)
	open := func() *Set {
		t.Helper()
		set, err := Open(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Bundle(t.Context(), "react", "react-dom/client", "lib", "linked"); err != nil {
			t.Fatal(err)
		}
		return set
	}
	module := `import { useState } from 'react'; import { createRoot } from 'react-dom/client'; import { nested } from 'lib'; import { linked } from 'linked'; console.log(useState(), createRoot(), nested, linked)`
	if got := runs(t, open(), module); got != "state 1 state 2! first sibling" {
		t.Errorf("it prints %q", got)
	}
	// A changed file is bundled again.
	writeFile(t, dir, "node_modules/lib/node_modules/nested/index.js", "exports.nested = 'second'")
	if got := runs(t, open(), module); got != "state 1 state 2! second sibling" {
		t.Errorf("after a change it prints %q", got)
	}
	if len(r.Requests()) > 0 {
		t.Error("the registry is asked")
	}
	if lock, err := open().Lock(); lock != nil || err != nil {
		t.Errorf("a lock of a node_modules: %s, %v", lock, err)
	}

	// If it lacks something, the registry is asked for all of it.
	r.Publish(t, react("19.9.0")...)
	r.Publish(t, simple("other", "1.0.0"))
	writeFile(t, dir, "package.json", `{"dependencies": {"react": "^19.5.0", "other": "1"}}`)
	set, err := Open(t.Context(), dir, o)
	if err != nil || set.Dependencies()["react"] != "19.9.0" || !slices.ContainsFunc(set.Notes(), func(n string) bool {
		return strings.Contains(n, "node_modules is not used, because it lacks other; run npm install")
	}) {
		t.Errorf("%v, %v, %q", set.Dependencies(), err, set.Notes())
	}
}

// A file system is read only where something is asked for.
func TestFromFSReadsOnlyWhatIsAskedFor(t *testing.T) {
	files := readFS{MapFS: fstest.MapFS{}, read: map[string]bool{}}
	for name, text := range installedFiles() {
		files.MapFS[strings.ReplaceAll(name, ".pnpm/react-dom@19.2.0/node_modules/react-dom", "react-dom")] = &fstest.MapFile{Data: []byte(text)}
	}
	set, lacks, err := FromFS(files, pairs("react", "19", "lib", "1"), options(t, registrytest.New(t)))
	if err != nil || lacks != "" {
		t.Fatal(lacks, err)
	}
	if err := set.Bundle(t.Context(), "react"); err != nil {
		t.Fatal(err)
	}
	for name := range files.read {
		if !strings.Contains(name, "react/") && !strings.HasSuffix(name, "lib/package.json") {
			t.Errorf("it reads %s", name)
		}
	}
	var unknown *UnknownError
	if err := set.Bundle(t.Context(), "react-dom"); !errors.As(err, &unknown) {
		t.Errorf("what package.json does not have: %v", err)
	}
	for _, dependencies := range [][]string{{"none", "1"}, {"react", "18"}} {
		if set, lacks, err := FromFS(files, pairs(dependencies...), options(t, registrytest.New(t))); set != nil || !strings.HasPrefix(lacks, dependencies[0]) || err != nil {
			t.Errorf("%q: %v, %q, %v", dependencies, set, lacks, err)
		}
	}
}

// readFS notes which files are read.
type readFS struct {
	fstest.MapFS
	read map[string]bool
}

func (f readFS) ReadFile(name string) ([]byte, error) {
	f.read[name] = true
	return f.MapFS.ReadFile(name)
}

var _ fs.ReadFileFS = readFS{}
