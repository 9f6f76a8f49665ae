package vfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The error about a folder's limit says what is in the folder, and where most of it is.
func TestSurvey(t *testing.T) {
	files := map[string][]byte{"/index.html": make([]byte, 10), "/film.mp4": make([]byte, 5_000), "/app/assets/song.mp3": make([]byte, 3_000), "/skipped/x": make([]byte, 9_000), "/.git/x": make([]byte, 9_000)}
	for i := range 40 {
		files[fmt.Sprintf("/app/node_modules/p%d/i.js", i)] = make([]byte, 10)
	}
	dir := tree(t, files)
	whole := Share{"/", 43, 8_410}
	modules := Share{"/app/node_modules/", 40, 400}
	for name, row := range map[string]struct {
		limits   func(*Limits)
		spread   int
		what     string
		heaviest []Share
	}{
		"files":      {limits: func(l *Limits) { l.Files = 42 }, what: LimitFiles, heaviest: []Share{modules}},
		"bytes":      {limits: func(l *Limits) { l.TotalSize = 8_409 }, what: LimitTotalSize, heaviest: []Share{{"/film.mp4", 1, 5_000}, {"/app/assets/song.mp3", 1, 3_000}}},
		"a file":     {limits: func(l *Limits) { l.FileSize = 4_999 }, what: LimitFileSize, heaviest: []Share{{"/film.mp4", 1, 5_000}}},
		"some files": {limits: func(l *Limits) { l.FileSize = 9 }, what: LimitFileSize, heaviest: []Share{{"/film.mp4", 1, 5_000}, {"/app/assets/song.mp3", 1, 3_000}, {"/app/node_modules/p0/i.js", 1, 10}}},
		"folders":    {limits: func(*Limits) {}, spread: 43, what: LimitFolders, heaviest: []Share{{"/app/node_modules/", 39, 390}}},
	} {
		t.Run(name, func(t *testing.T) {
			l := DefaultLimits()
			row.limits(&l)
			f, err := OpenFolder(dir, NewStore(1<<30), l, "skipped/")
			must(t, err)
			if row.spread > 0 {
				f.spread = row.spread
			}
			_, err = f.Snapshot()
			over, ok := errors.AsType[*LimitError](err)
			if !ok || over.What != row.what || over.Folder == nil {
				t.Fatalf("Snapshot = %v", err)
			}
			got := over.Folder
			if !slices.Equal(got.Heaviest, row.heaviest) {
				t.Errorf("the heaviest are %v, want %v", got.Heaviest, row.heaviest)
			}
			if row.spread > 0 {
				if !got.Partial || got.Folders != row.spread+1 {
					t.Errorf("of too many folders the survey is %+v", got)
				}
				return
			}
			if got.Partial || got.Share != whole || got.Folders != 44 || got.FileSize != 5_000 {
				t.Errorf("the survey is %+v, want %v", got, whole)
			}
		})
	}
}

// The pattern for a path matches that path and no other.
func TestIgnorePattern(t *testing.T) {
	all := []string{"/a", "/b/a", "/a*", "/ab", "/[b]", "/b]", "/b?", "/b\u00e9", "/#", "/!a", "/c ", "/c", "/d/", "/e/d/"}
	dir := tree(t, nil)
	for _, path := range all {
		if path[len(path)-1] == '/' {
			path += "x"
		}
		writeTree(t, dir, map[string][]byte{path: nil})
	}
	for _, path := range all {
		must(t, os.WriteFile(filepath.Join(dir, IgnoreFile), []byte(IgnorePattern(path)+"\n"), 0o644))
		snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if path[len(path)-1] == '/' {
			path += "x"
		}
		if _, found := snap.Lookup(path); found || snap.Len() != len(all)-1 {
			t.Errorf("the pattern %q for %q leaves %d of %d files", IgnorePattern(path), path, snap.Len(), len(all))
		}
	}
}
