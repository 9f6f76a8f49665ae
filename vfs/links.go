package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many links one name may pass through. Linux allows as many.
const maxLinks = 40

// resolve returns the link-free name of the target of the link at name. The target has
// to be as visible as a file of that name: a link exposes nothing hidden.
func (s *scanner) resolve(name, path string) (string, error) {
	target, err := s.top.Readlink(name)
	if err != nil {
		return "", gone(path, err)
	}
	refuse := func(what, hint string, err error) (string, error) {
		return "", refusedLink(path, target, what, hint, err)
	}
	at, todo, links := []string{}, strings.Split(name, "/"), 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case ".":
			continue
		case "..":
			if len(at) == 0 {
				return refuse("leads out of the folder", linkHint, nil)
			}
			at = at[:len(at)-1]
			continue
		}
		here := strings.Join(append(at[:len(at):len(at)], part), "/")
		info, err := s.top.Lstat(here)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return refuse("leads to nothing", linkHint, err)
		case err != nil:
			return "", unreadable(path, err)
		case info.Mode()&fs.ModeSymlink == 0:
			if !s.listed(strings.Join(at, "/"), part) {
				return refuse(fmt.Sprintf("spells %q differently than its folder does", part), "write the name as the folder lists it", nil)
			}
			at = append(at, part)
			continue
		}
		if links++; links > maxLinks {
			return refuse("leads round in circles, or over too many other links", linkHint, nil)
		}
		next, err := s.top.Readlink(here)
		if err != nil {
			return "", gone(path, err)
		}
		top, parts := splitName(next)
		if top != "" || filepath.VolumeName(next) != "" {
			return refuse("leads out of the folder", linkHint, nil)
		}
		todo = append(parts, todo...)
	}
	if slices.ContainsFunc(at, covered) {
		return refuse("leads to a hidden file or folder", "remove it, or put a copy in its place if everybody may see it", nil)
	}
	if len(at) == 0 {
		return ".", nil
	}
	return strings.Join(at, "/"), nil
}

// covered reports whether a name is closed to links, which then lead neither to it nor
// below it. Names that begin with two dots are hidden but not covered: orchestrators
// publish several files at once as links into a folder like "..2026_11_22", by way of
// "..data".
func covered(name string) bool { return hidden(name) && !strings.HasPrefix(name, "..") }

// listed reports whether the folder dir lists exactly this name. File systems accept
// other spellings for some names ("GIT~1" is ".git" on Windows), and those would not
// look hidden.
func (s *scanner) listed(dir, name string) bool {
	names, known := s.names[dir]
	if !known {
		names = map[string]bool{}
		if entries, err := listFolder(s.top, filepath.Join(".", dir)); err == nil {
			for _, e := range entries {
				names[e.Name()] = true
			}
		}
		s.names[dir] = names
	}
	return names[name]
}

// reach opens the folder at name, relative to top. It follows no links.
func reach(top *os.Root, name, path string) (place, error) {
	root, err := top.OpenRoot(".")
	if err != nil {
		return place{}, unreadable(path, err)
	}
	at := place{root: root, name: "."}
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		next, err := at.enter(part, path)
		at.root.Close()
		if err != nil {
			return place{}, err
		}
		at = next
	}
	return at, nil
}

// enter opens a folder inside p. It fails if a link has taken the folder's place.
func (p place) enter(name, path string) (place, error) {
	root, err := p.root.OpenRoot(name)
	if err != nil {
		return place{}, gone(path, err)
	}
	info, err := root.Stat(".")
	if err == nil {
		err = p.same(name, path, info)
	}
	if err != nil {
		root.Close()
		return place{}, err
	}
	return place{root, p.at(name), info}, nil
}

// holds verifies that f, which is open, is the file called name in p. A link may have
// taken its place since the folder was listed.
func (p place) holds(name, path string, f fs.File) error {
	info, err := f.Stat()
	if err != nil {
		return unreadable(path, err)
	}
	return p.same(name, path, info)
}

func (p place) same(name, path string, open fs.FileInfo) error {
	now, err := p.root.Lstat(name)
	if err != nil {
		return gone(path, err)
	}
	if !os.SameFile(now, open) {
		return &PathError{Path: path, Reason: "something else took its place while it was read", Hint: "wait until whatever changes the folder has finished", Err: errUnsettled}
	}
	return nil
}

const linkHint = "remove it, put a copy in its place, or, if the target is inside the folder, make it a relative link straight to it"

func refusedLink(path, target, what, hint string, cause error) error {
	return &PathError{Path: path, Reason: fmt.Sprintf("the symbolic link to %q %s", target, what), Hint: hint, Err: cause}
}

func (s *scanner) circle(in place, name, path string) error {
	return s.refused(in, name, path, "leads round in circles: its target contains it", linkHint)
}

// refused says where the link called name leads, and what to do about it.
func (s *scanner) refused(in place, name, path, what, hint string) error {
	target, err := in.root.Readlink(name)
	if err != nil {
		return gone(path, err)
	}
	return refusedLink(path, target, what, hint, nil)
}
