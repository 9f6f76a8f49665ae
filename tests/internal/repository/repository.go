// Package repository finds and reads the files of this repository, for tests that look at
// its sources and documents.
package repository

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Root returns the folder with go.mod, with no symbolic link in its path.
func Root(t testing.TB) string {
	t.Helper()
	// The tests of a package run in its folder.
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Fatal("no folder above the test has a go.mod")
		}
		dir = above
	}
}

// Read returns the contents of a file, by its path from the root.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Files returns the text files with an extension, or all of them, relative to the root.
// It leaves out files that belong to Git or a tool. With an extension it also leaves
// out testdata, whose sources need not follow our rules.
func Files(t testing.TB, ext string) []string {
	t.Helper()
	root := Root(t)
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

// binary uses Git's criterion: a zero byte near the beginning.
func binary(t testing.TB, name string) bool {
	t.Helper()
	b := Read(t, name)
	return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0
}
