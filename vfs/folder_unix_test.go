//go:build unix

package vfs

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Opening a named pipe waits for a writer, so these tests would hang if one were
// opened.
func TestFolderLeavesOutPipesAndSockets(t *testing.T) {
	pipe := func(t *testing.T, name string) { must(t, syscall.Mkfifo(name, 0o644)) }
	socket := func(t *testing.T, name string) {
		t.Chdir(filepath.Dir(name)) // the whole name may be too long for a socket
		l, err := net.Listen("unix", filepath.Base(name))
		must(t, err)
		t.Cleanup(func() { l.Close() })
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, name string)
		says string
	}{"pipe": {pipe, "named pipe"}, "socket": {socket, "socket"}} {
		for _, linked := range []bool{false, true} {
			dir := tree(t, map[string][]byte{"/index.html": nil})
			path := "/x"
			if c.make(t, filepath.Join(dir, "x")); linked {
				path = "/a"
				link(t, dir, "x", "a")
			}
			snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
			must(t, err)
			if left := snap.LeftOut(); !slices.ContainsFunc(left, func(e *PathError) bool { return e.Path == path && strings.Contains(e.Reason, c.says) }) || snap.Len() != 1 {
				t.Errorf("%s, linked %v: it leaves out %v, want %s", name, linked, left, path)
			}
		}
	}
}

// A pipe can also replace a file or folder after it was listed.
func TestPipeInPlaceOfAFile(t *testing.T) {
	dir := tree(t, nil)
	must(t, syscall.Mkfifo(filepath.Join(dir, "a"), 0o644))
	f := openFolder(t, dir, DefaultLimits())
	root, err := f.enter()
	must(t, err)
	defer root.Close()
	s := scanner{builder: builder{store: f.store, limits: f.limits}, top: root, open: openInRoot, spread: maxFolders}
	err = s.file(place{root: root, name: "."}, "a", "/a")
	if refused, ok := errors.AsType[*PathError](err); !ok || !strings.Contains(refused.Reason, "named pipe") {
		t.Errorf("reading the pipe as a file = %v, want a PathError", err)
	}
	if _, err := listFolder(root, "a"); err == nil {
		t.Error("listing the pipe as a folder gives no error")
	}
	_, err = readWatched(filepath.Join(dir, "a"))
	if refused, ok := errors.AsType[*PathError](err); !ok || !strings.Contains(refused.Reason, "named pipe") {
		t.Errorf("reading the pipe as a watched file = %v, want a PathError", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "a")); err != nil {
		t.Error(err)
	}
}

// Opening a pipe would wait until somebody writes to it.
func TestPipeInPlaceOfAContentOnDisk(t *testing.T) {
	dir, snap := disk(t, noise(2*blockSize))
	name := filepath.Join(dir, filepath.FromSlash(large))
	must(t, os.Remove(name))
	must(t, syscall.Mkfifo(name, 0o644))
	if _, err := blobAt(t, snap, large).Open(); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "no file") {
		t.Errorf("Open = %v", err)
	}
}
