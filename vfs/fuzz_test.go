package vfs

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Each line of a script is a change: "+path=content" puts a file, "-path" deletes one,
// and any other line ends a batch. A batch is applied in one call. Afterwards the
// snapshot equals one made directly of all its files, or is unchanged.
func FuzzChanges(f *testing.F) {
	for _, seed := range []string{
		"+/a=1\n+/b=2\n\n-/a\n", "+/a=1\n\n+/a/b=2\n", "+/a/b=1\n\n-/a/b\n+/a=2\n", "+/a=1\n+/a=2\n", "-/a\n", "+/a=1\n\n-/a\n-/a\n", "+/.bellglass/x=1\n", "+/.bellglass=1\n",
		"+//=1\n", "+/a/../b=1\n", "+/a\\b=1\n", "+/\x00=1\n", "+/\xff=1\n", "+/%2e%2e/a=1\n", "+/a==\n+/b=\n", "+/A=1\n+/a=2\n", "+/a/b/c=1\n+/a/b/d=2\n+/a/c=3\n\n-/a/b/c\n-/a/b/d\n+/a/b=4\n", "+/😀=1\n\n+/a.b=2\n+/a/b=3\n",
		"+/a =1\n+/ a=2\n", "+/e\u0301=1\n+/\u00e9=2\n", "+/" + strings.Repeat("a", 60) + "=1\n", "+/a=" + strings.Repeat("x", 40) + "\n",
	} {
		f.Add(seed)
	}
	limits := Limits{FileSize: 32, TotalSize: 64, Files: 5, PathLength: 48}
	f.Fuzz(func(t *testing.T, script string) {
		store := newStore()
		now, err := store.Snapshot(nil, limits)
		if err != nil {
			t.Fatal(err)
		}
		model := map[string][]byte{}
		next, changes, named := maps.Clone(model), []Change(nil), map[string]int{}
		for line := range strings.SplitSeq(script+"\n\n", "\n") {
			switch {
			case strings.HasPrefix(line, "+"):
				path, content, _ := strings.Cut(line[1:], "=")
				changes = append(changes, Put(path, []byte(content)))
				next[path] = []byte(content)
				named[path]++
				continue
			case strings.HasPrefix(line, "-"):
				changes = append(changes, Delete(line[1:]))
				named[line[1:]]++
				if _, found := model[line[1:]]; !found {
					named[line[1:]] = 2 // as wrong as naming it twice
				}
				delete(next, line[1:])
				continue
			}
			before := now.Hash()
			got, err := now.With(changes...)
			whole, wholeErr := store.Snapshot(next, limits)
			wrong := slices.Contains(slices.Collect(maps.Values(named)), 2) || slices.ContainsFunc(slices.Collect(maps.Values(named)), func(n int) bool { return n > 1 })
			if (err == nil) != (wholeErr == nil && !wrong) {
				t.Fatalf("%q: with the changes %v, whole %v, a path named wrongly: %v", script, err, wholeErr, wrong)
			}
			if now.Hash() != before {
				t.Fatalf("%q: the snapshot that the changes were made from is another now", script)
			}
			if err == nil {
				checkModel(t, script, got, whole, next)
				now, model = got, next
			} else if got != nil {
				t.Fatalf("%q: both a snapshot and %v", script, err)
			}
			next, changes, named = maps.Clone(model), nil, map[string]int{}
		}
	})
}

func checkModel(t *testing.T, script string, got, whole *Snapshot, model map[string][]byte) {
	t.Helper()
	if got.Hash() != whole.Hash() || !Compare(got, whole).Empty() || got.TotalSize() != whole.TotalSize() {
		t.Errorf("%q: the changes make another snapshot than the files at once", script)
	}
	if got.Len() != len(model) {
		t.Errorf("%q: %d files, want %d", script, got.Len(), len(model))
	}
	var names []string
	for path, content := range model {
		entry, found := got.Lookup(path)
		blob, kept := got.Blob(entry.Hash)
		if !found || !kept || string(blob.held()) != string(content) || CheckPath(path, got.Limits()) != nil {
			t.Errorf("%q: %q is %+v, %v", script, path, entry, found)
		}
		names = append(names, path[1:])
	}
	// fstest uses names as patterns without escaping them.
	if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return strings.ContainsAny(name, `[]*?^-`) }) {
		if err := fstest.TestFS(got, names...); err != nil {
			t.Errorf("%q: %v", script, err)
		}
	}
}

// A hash has one spelling.
func FuzzParseHash(f *testing.F) {
	one := strings.Repeat("0a", 32)
	for _, seed := range []string{one, strings.ToUpper(one), one[1:], one + "0", "", strings.Repeat("g", 64), strings.Repeat("é", 32), one[:63] + "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hash, err := ParseHash(text)
		if err == nil && hash.String() != text {
			t.Errorf("%q is read as %s", text, hash)
		}
		isHash := len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
		if isHash != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
