package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"
)

// IgnoreFile is the name of the file, at the top of a folder, that lists what to leave
// out: one pattern a line, with the syntax and meaning of a .gitignore. Its name begins
// with a dot, so it is never served itself.
const IgnoreFile = ".bellglassignore"

// Limits on ignore patterns. Every file is matched against every pattern.
const (
	ignoreBytes    = 64 << 10
	ignorePatterns = 1_000
)

// ignores are patterns in the order of their lines. The last one that matches decides.
type ignores []ignorePattern

type ignorePattern struct {
	re     *regexp.Regexp
	keep   bool // it begins with "!"
	folder bool // it ends with "/", and so matches folders only
	name   bool // it has no other "/", so it matches the last segment alone
}

// The lines are parsed here, and a pattern is matched by the shell's rules, as Git
// does. Libraries for whole ignore files differ from Git 2.39 on 94 (git-pkgs), 242
// (go-git), and 544 (sabhiram) of 1,500 random files, mostly where "!" brings a folder
// back. This code differs on 46. All of those have "**" beside other characters in a
// segment, or a class that is not closed; Git's documentation does not promise what Git
// does with them.

// parseIgnores parses the lines of an ignore file or of a flag, which source names. Git
// skips an invalid pattern. That would serve files that somebody meant to leave out, so
// here it is an error.
func parseIgnores(source, text string) (ignores, error) {
	var all ignores
	if len(text) > ignoreBytes {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are allowed; write fewer patterns", source, len(text), ignoreBytes)
	}
	number := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		number++
		one, is, err := parseIgnore(line)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s, line %d: the pattern %s is wrong: %w; patterns are those of a .gitignore", source, number, quote(line), err)
		case is && len(all) == ignorePatterns:
			return nil, fmt.Errorf("%s, line %d: there are more than %d patterns; write fewer", source, number, ignorePatterns)
		case is:
			all = append(all, one)
		}
	}
	return all, nil
}

// parseIgnore parses one line, which may be empty or a comment.
func parseIgnore(line string) (one ignorePattern, is bool, err error) {
	line = strings.TrimSuffix(line, "\r")
	if strings.HasPrefix(line, "#") {
		return one, false, nil
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" {
		return one, false, nil
	}
	line, one.keep = strings.CutPrefix(line, "!")
	line, one.folder = strings.CutSuffix(line, "/")
	one.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return one, false, errors.New("it names nothing")
	}
	text, err := pattern.Regexp(line, pattern.Filenames|pattern.EntireString|pattern.GlobLeadingDot)
	if err != nil {
		return one, false, err
	}
	one.re, err = regexp.Compile(text)
	return one, err == nil, err
}

// IgnorePattern returns the pattern that matches only the file with this path. If path
// ends with "/", it matches only that folder.
func IgnorePattern(path string) string {
	text := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
	if rest, is := strings.CutSuffix(text, " "); is {
		return rest + `\ `
	}
	return text
}

// match reports whether a file or folder ("a/b") is left out by its own name, whatever
// its parent folders match.
func (all ignores) match(name string, folder bool) bool {
	for i := len(all) - 1; i >= 0; i-- {
		one, subject := &all[i], name
		if one.folder && !folder {
			continue
		}
		if one.name {
			subject = pathpkg.Base(name)
		}
		if one.re.MatchString(subject) {
			return !one.keep
		}
	}
	return false
}

// covers reports whether a file or folder, or any folder that contains it, is left out.
func (all ignores) covers(name string, folder bool) bool {
	for i := range len(name) {
		if name[i] == '/' && all.match(name[:i], true) {
			return true
		}
	}
	return all.match(name, folder)
}

// ignores reads the patterns in force: those given to [Folder.LeaveOut], those of the folder's
// ignore file, and those given to [OpenFolder]. Later ones override earlier ones.
func (f *Folder) ignores(root *os.Root) (ignores, error) {
	text, err := readIgnoreFile(root)
	if err != nil {
		return nil, err
	}
	all, err := parseIgnores(IgnoreFile, text)
	if err != nil {
		return nil, err
	}
	all = slices.Concat(f.least, all, f.ignored)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unwatched = all
	return all, nil
}

// ignoredNow returns the patterns that decide what is not watched: those of
// [Folder.ignores], or the last valid ones if the file is now invalid. The scan reports
// the mistake.
func (f *Folder) ignoredNow() ignores {
	if root, err := os.OpenRoot(f.dir); err == nil {
		defer root.Close()
		if all, err := f.ignores(root); err == nil {
			return all
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unwatched
}

// readIgnoreFile returns the text of the folder's ignore file, or "" if there is none.
func readIgnoreFile(root *os.Root) (string, error) {
	const path = "/" + IgnoreFile
	info, err := root.Lstat(IgnoreFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", unreadable(path, err)
	case !info.Mode().IsRegular():
		return "", wrongKind(path, info.Mode().Type())
	}
	f, err := openInRoot(root, IgnoreFile)
	if err != nil {
		return "", gone(path, err)
	}
	defer f.Close()
	top := place{root: root, name: "."}
	if err := top.holds(IgnoreFile, path, f); err != nil {
		return "", err
	}
	var buf bytes.Buffer
	err = readStable(f, path, func(_ string, size int64) error {
		if size > ignoreBytes {
			return &PathError{Path: path, Reason: fmt.Sprintf("it has %d bytes, more than %d", size, ignoreBytes), Hint: "write fewer patterns"}
		}
		return nil
	}, &buf)
	return buf.String(), err
}
