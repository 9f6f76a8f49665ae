package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// keySize is the length of a key in random bytes.
const keySize = 32

// originKey returns the key from which the lasting origins of MCP Apps are derived. If
// the file does not exist, originKey creates it. A program with the key can compute
// these origins, so only this user may read the file. If file is "", the key is in the
// state folder; a failure to write it there is [errNotKept].
func originKey(file string) (key []byte, err error) {
	dir, name := filepath.Split(file)
	var root *os.Root
	if file == "" {
		name = "mcp-origins.key"
		root, err = openState("keys")
	} else if root, err = os.OpenRoot(filepath.Clean(dir)); err != nil {
		err = fmt.Errorf("the key for the origins of MCP Apps in %s cannot be opened: %w", file, err)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	text, err := readOwn(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		made := make([]byte, keySize)
		rand.Read(made) // never fails
		if err = writeOwn(root, name, []byte(base64.StdEncoding.EncodeToString(made)), false); err == nil {
			return made, nil
		}
		if !errors.Is(err, fs.ErrExist) { // another program created it at the same time
			if file == "" {
				err = fmt.Errorf("%w: %w", errNotKept, err)
			}
			return nil, err
		}
		text, err = readOwn(root, name)
	}
	if err == nil {
		key, err = base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(text))
	}
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("it holds %d bytes instead of %d", len(key), keySize)
	}
	if err != nil {
		return nil, fmt.Errorf("the key for the origins of MCP Apps in %s is not used: %w; delete the file for a new key, with which apps no longer find what they have stored", filepath.Join(root.Name(), name), err)
	}
	return key, nil
}
