package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// openState opens a folder for what this user's next program must know again, and makes it
// if need be.
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

// readOwn reads a file that this user alone can read and write. It fails with
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

// writeOwn writes a line into a file in one step, so that nobody reads a part of it. Unless
// it may replace one, it fails with [fs.ErrExist] where there is one.
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

// stateHome is where programs of this user keep what they must know again the next time.
func stateHome() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	// The XDG Base Directory Specification says to ignore a relative path.
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}
