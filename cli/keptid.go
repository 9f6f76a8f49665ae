package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
	root, err := openState("sandboxes")
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
	text, err := json.Marshal(kept)
	if err != nil {
		return "", err
	}
	err = writeOwn(root, name, text, fresh)
	if errors.Is(err, fs.ErrExist) { // of another serve, which began at the same time
		return readKeptID(root, name, folder)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotKept, err)
	}
	return kept.ID, nil
}

// readKeptID reads a folder's kept id. It fails with [fs.ErrNotExist] if none was kept.
func readKeptID(root *os.Root, name, folder string) (string, error) {
	text, err := readOwn(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var kept keptID
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err == nil && (kept.Folder != folder || !server.IsID(kept.ID)) {
		err = fmt.Errorf("it does not hold the id of %s", folder)
	}
	if err != nil {
		return "", fmt.Errorf("the id of this folder's sandbox in %s is not used: %w; start with --fresh for a new one", filepath.Join(root.Name(), name), err)
	}
	return kept.ID, nil
}
