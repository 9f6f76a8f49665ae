package vfs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// These are the files that git ls-files --others (2.39) lists for this tree.
func TestIgnorePatterns(t *testing.T) {
	all := []string{
		"/!x", "/#h", "/[b].js", "/a b.txt", "/a.log", "/b.js", "/build", "/é.txt", "/keep.log",
		"/node_modules/p/i.js", "/sp ", "/sub/a.log", "/sub/build/o.js", "/sub/deep/er/x.txt", "/sub/keep/x.log", "/sub/node_modules/p.js",
	}
	files := map[string][]byte{}
	for _, path := range all {
		files[path] = nil
	}
	dir := tree(t, files)
	for name, row := range map[string]struct {
		text string
		gone []string
	}{
		"nothing":                             {"", nil},
		"comments and empty lines":            {"# a.log\n\n   \n#h\n", nil},
		"a name, everywhere":                  {"a.log", []string{"/a.log", "/sub/a.log"}},
		"a star":                              {"*.log", []string{"/a.log", "/keep.log", "/sub/a.log", "/sub/keep/x.log"}},
		"a star stays in its segment":         {"sub/*.log", []string{"/sub/a.log"}},
		"a question mark":                     {"?.js", []string{"/sub/node_modules/p.js", "/b.js", "/sub/build/o.js", "/node_modules/p/i.js"}},
		"a class":                             {"[!a-z]*", []string{"/!x", "/#h", "/[b].js", "/é.txt"}},
		"a named class":                       {"[[:alpha:]].js", []string{"/sub/node_modules/p.js", "/b.js", "/sub/build/o.js", "/node_modules/p/i.js"}},
		"negation":                            {"*.log\n!keep.log", []string{"/a.log", "/sub/a.log", "/sub/keep/x.log"}},
		"negation that comes first":           {"!keep.log\n*.log", []string{"/a.log", "/keep.log", "/sub/a.log", "/sub/keep/x.log"}},
		"negation of a folder":                {"*.log\n!keep/", []string{"/a.log", "/keep.log", "/sub/a.log", "/sub/keep/x.log"}},
		"negation below what is left out":     {"sub/\n!sub/a.log", []string{"/sub/a.log", "/sub/build/o.js", "/sub/deep/er/x.txt", "/sub/keep/x.log", "/sub/node_modules/p.js"}},
		"negation below its contents":         {"/sub/*\n!/sub/keep/", []string{"/sub/a.log", "/sub/build/o.js", "/sub/deep/er/x.txt", "/sub/node_modules/p.js"}},
		"a slash at the end: folders only":    {"build/", []string{"/sub/build/o.js"}},
		"none at the end: files, too":         {"build", []string{"/build", "/sub/build/o.js"}},
		"anchored by a slash in front":        {"/node_modules", []string{"/node_modules/p/i.js"}},
		"anchored by one inside":              {"sub/build", []string{"/sub/build/o.js"}},
		"not anchored by one at the end":      {"node_modules/", []string{"/node_modules/p/i.js", "/sub/node_modules/p.js"}},
		"two stars in front":                  {"**/node_modules/p.js", []string{"/sub/node_modules/p.js"}},
		"two stars inside":                    {"sub/**/x.*", []string{"/sub/deep/er/x.txt", "/sub/keep/x.log"}},
		"two stars inside for no folder":      {"sub/**/a.log", []string{"/sub/a.log"}},
		"two stars at the end":                {"sub/**", []string{"/sub/a.log", "/sub/build/o.js", "/sub/deep/er/x.txt", "/sub/keep/x.log", "/sub/node_modules/p.js"}},
		"two stars at the end, of a file":     {"build/**", nil},
		"escaped number sign":                 {`\#h`, []string{"/#h"}},
		"escaped exclamation mark":            {`\!x`, []string{"/!x"}},
		"escaped bracket":                     {`\[b\].js`, []string{"/[b].js"}},
		"a backslash before what needs none":  {`b\.js`, []string{"/b.js"}},
		"blanks at the end":                   {"a.log  \nsp ", []string{"/a.log", "/sub/a.log"}},
		"an escaped blank at the end":         {`sp\ `, []string{"/sp "}},
		"a blank inside":                      {"a b.txt", []string{"/a b.txt"}},
		"lines of Windows, with a byte order": {"\ufeffa.log\r\nbuild\r\n", []string{"/a.log", "/sub/a.log", "/build", "/sub/build/o.js"}},
		"letters beyond ASCII":                {"é.txt", []string{"/é.txt"}},
		"upper case is another name":          {"A.LOG", nil},
		"hidden files stay hidden":            {"!" + IgnoreFile, nil},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, os.WriteFile(filepath.Join(dir, IgnoreFile), []byte(row.text), 0o644))
			snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			var gone []string
			for _, path := range all {
				if _, is := snap.Lookup(path); !is {
					gone = append(gone, path)
				}
			}
			slices.Sort(row.gone)
			slices.Sort(gone)
			if !slices.Equal(gone, row.gone) || snap.Len() != len(all)-len(gone) || len(snap.LeftOut()) > 0 {
				t.Errorf("left out are %q, want %q; with a word %v", gone, row.gone, snap.LeftOut())
			}
		})
	}
}

// An invalid pattern rejects the folder: skipping it would serve files that are meant
// to be left out.
func TestWrongIgnorePatterns(t *testing.T) {
	for name, row := range map[string]struct{ text, says string }{
		"names nothing":         {"a\n/\n", `line 2: the pattern "/" is wrong: it names nothing`},
		"negation of nothing":   {"!", "it names nothing"},
		"ends with a backslash": {`a\`, `\ at end of pattern`},
		"a range backwards":     {"[z-a]", "invalid range"},
		"an unknown class":      {"[[:letters:]]", "charClass invalid"},
		"too many":              {strings.Repeat("a\n", ignorePatterns+1), "more than 1000 patterns"},
		"too long":              {strings.Repeat("#", ignoreBytes+1), "65537 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{"/a": nil, "/" + IgnoreFile: []byte(row.text)})
			snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
			if err == nil || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), IgnoreFile) {
				t.Errorf("%v, %v", snap, err)
			}
			if _, err := OpenFolder(dir, NewStore(1<<30), DefaultLimits(), row.text); err == nil || !strings.Contains(err.Error(), row.says) && name != "too long" {
				t.Errorf("as a pattern of its own: %v", err)
			}
		})
	}
	t.Run("no file", func(t *testing.T) {
		dir := tree(t, map[string][]byte{"/a": nil})
		link(t, dir, "a", IgnoreFile)
		if snap, err := openFolder(t, dir, DefaultLimits()).Snapshot(); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%v, %v", snap, err)
		}
	})
}

// The patterns of OpenFolder come after those of the file, and those of LeaveOut before.
func TestIgnorePatternsOfTheCaller(t *testing.T) {
	dir := tree(t, map[string][]byte{"/a": nil, "/b": nil, "/c": nil, "/d": nil, "/e": nil, "/f": nil, "/" + IgnoreFile: []byte("a\nb\n!e\n")})
	f, err := OpenFolder(dir, NewStore(1<<30), DefaultLimits(), "!a", "c", "!f")
	must(t, err)
	must(t, f.LeaveOut("[def]"))
	snap, err := f.Snapshot()
	wantFiles(t, snap, err, map[string][]byte{"/a": nil, "/e": nil, "/f": nil})
	if err := f.LeaveOut("[z-a]"); err == nil {
		t.Error("an invalid pattern is accepted")
	}
}

// A link is ignored if its own name or its target is.
func TestLinksAndIgnoredFiles(t *testing.T) {
	for name, row := range map[string]struct{ target, at, ignore, says string }{
		"to an ignored file":             {"priv/x", "l", "x", "ignored"},
		"into an ignored folder":         {"priv/x", "l", "/priv/", "ignored"},
		"to an ignored folder":           {"priv", "l", "/priv/", "ignored"},
		"an ignored link":                {"nowhere", "l", "l", ""},
		"an ignored link to a folder":    {"open", "l", "l/", ""},
		"a file below a link":            {"open", "l", "/l/y", ""},
		"a link that no pattern matches": {"nowhere", "l", "m", "leads to nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{"/priv/x": []byte("secret"), "/open/y": nil, "/" + IgnoreFile: []byte(row.ignore + "\n/priv\n")})
			link(t, dir, row.target, row.at)
			snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			wantFiles(t, snap, nil, map[string][]byte{"/open/y": nil})
			if says := fmt.Sprint(snap.LeftOut()); !strings.Contains(says, row.says) || (row.says == "") != (says == "[]") {
				t.Errorf("left out with a word: %s", says)
			}
		})
	}
}
