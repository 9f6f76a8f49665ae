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

// A keptID is the file that stores the id of a folder's sandbox. The next serve gives
// the folder the same origin, so its pages find what they stored there. The id must be
// unguessable, so only this user may access the file and its folder.
type keptID struct {
	// Folder is absolute and without symbolic links.
	Folder string `json:"folder"`
	ID     string `json:"id"`
}

// errNotKept reports that the id cannot be stored. Using a new id each time is then
// harmless.
var errNotKept = errors.New("the id of the folder's sandbox cannot be kept")

// sandboxID returns the stored id of the folder's sandbox, or a new id, which it
// stores. If fresh is set, the id is always new. sandboxID fails if other users may
// have read or written the stored id.
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
	if errors.Is(err, fs.ErrExist) { // another serve stored it at the same time
		return readKeptID(root, name, folder)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotKept, err)
	}
	return kept.ID, nil
}

// readKeptID reads a folder's stored id. It fails with [fs.ErrNotExist] if there is
// none.
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
