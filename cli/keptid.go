package cli

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/bellglass/bellglass/server"
)

// A keptID is the file that holds the id of a folder's sandbox, so that the next serve
// gives the folder the same origin and its pages find what they stored there. The id is
// to be guessed by nobody, so the file and the folder that it is in are this user's alone.
type keptID struct {
	// Folder is absolute and without symbolic links.
	Folder string `json:"folder"`
	ID     string `json:"id"`
}

// errNotKept is of an id that cannot be written down. Nothing speaks against another id
// each time.
var errNotKept = errors.New("the id of the folder's sandbox cannot be kept")

// sandboxID returns the id of the folder's sandbox: the kept one, or a new one, which it
// keeps from then on. With fresh it is a new one in any case. A kept id that other users
// may have read or written is refused.
func sandboxID(dir string, fresh bool) (id string, err error) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", err
	}
	root, err := openKeptIDs()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	sum := sha256.Sum256([]byte(folder))
	name := hex.EncodeToString(sum[:]) + ".json"
	if !fresh {
		if id, err = readKeptID(root, name, folder); !errors.Is(err, fs.ErrNotExist) {
			return id, err
		}
	}
	kept := keptID{Folder: folder, ID: server.NewID()}
	err = writeKeptID(root, name, kept, fresh)
	if errors.Is(err, fs.ErrExist) { // of another serve, which began at the same time
		return readKeptID(root, name, folder)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotKept, err)
	}
	return kept.ID, nil
}

// openKeptIDs opens the folder that the files are in, and makes it if need be.
func openKeptIDs() (*os.Root, error) {
	home, err := stateHome()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotKept, err)
	}
	dir := filepath.Join(home, "bellglass", "sandboxes")
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
		return nil, fmt.Errorf("the folder %s, which holds the ids of sandboxes, is not used: %w; make it your own with mode 700, or delete it", dir, err)
	}
	return root, nil
}

// readKeptID reads a folder's kept id. It fails with [fs.ErrNotExist] if none was kept.
func readKeptID(root *os.Root, name, folder string) (string, error) {
	refuse := func(err error) (string, error) {
		return "", fmt.Errorf("the id of this folder's sandbox in %s is not used: %w; start with --fresh for a new one", filepath.Join(root.Name(), name), err)
	}
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err == nil {
		err = private(info, os.Geteuid())
	}
	if err != nil {
		return refuse(err)
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return refuse(err)
	}
	var kept keptID
	if err := json.Unmarshal(text, &kept); err != nil {
		return refuse(err)
	}
	if kept.Folder != folder || !server.IsID(kept.ID) {
		return refuse(fmt.Errorf("it does not hold the id of %s", folder))
	}
	return kept.ID, nil
}

// writeKeptID writes the file in one step, so that nobody reads a part of it. Unless it
// may replace one, it fails with [fs.ErrExist] where there is one.
func writeKeptID(root *os.Root, name string, kept keptID, replace bool) (err error) {
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
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
