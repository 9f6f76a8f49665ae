package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// openState opens a folder for what this user's next program needs, and creates it if
// necessary.
func openState(name string) (*os.Root, error) {
	home, err := stateHome()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotKept, err)
	}
	dir := filepath.Join(home, "bellglass", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotKept, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err == nil {
		err = private(info, os.Geteuid())
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("the folder %s is not used: %w; make it your own with mode 700, or delete it", dir, err)
	}
	return root, nil
}

// readOwn reads a file that only this user can read and write. It fails with
// [fs.ErrNotExist] if the file does not exist.
func readOwn(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if err := private(info, os.Geteuid()); err != nil {
		return nil, err
	}
	return root.ReadFile(name)
}

// writeOwn writes a line to a file atomically, so that no reader sees a part of it.
// Unless replace is set, it fails with [fs.ErrExist] if the file exists.
func writeOwn(root *os.Root, name string, text []byte, replace bool) (err error) {
	part := name + "." + rand.Text()
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err == nil && replace {
		if err = root.Rename(part, name); err == nil {
			return nil
		}
	} else if err == nil {
		err = root.Link(part, name)
	}
	return errors.Join(err, root.Remove(part))
}

// stateHome returns the folder where this user's programs keep state.
func stateHome() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	// The XDG Base Directory Specification says to ignore relative paths.
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}
