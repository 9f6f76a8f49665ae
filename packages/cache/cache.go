// Package cache keeps what was fetched and built in a folder on disk.
//
// A caller wants [Open], and then [Cache.Get] and [Cache.Put] for results that have a key, or
// [Cache.Content] and [Cache.PutContent] for contents that are named by their own hash.
//
// Several processes may use one folder at the same time. A file appears by renaming a finished
// one, so it is complete or absent. Each read is verified: a file whose hash is wrong is
// removed, and counts as absent. Nothing is evicted; the whole folder may be deleted at any
// time.
package cache

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// format is part of the folder's name. A changed layout gets a new one.
const format = "packages-1"

// A Cache is a folder with verified files. All methods are safe for concurrent use.
type Cache struct {
	dir string
}

// DefaultDir returns the folder for this user.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the package cache: %w; name one with --package-cache", err)
	}
	return filepath.Join(dir, "bellglass"), nil
}

// Open returns the cache in dir, which it creates if necessary. An empty dir means
// [DefaultDir].
func Open(dir string) (*Cache, error) {
	if dir == "" {
		var err error
		if dir, err = DefaultDir(); err != nil {
			return nil, err
		}
	}
	dir = filepath.Join(dir, format)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot create the package cache: %w; name another folder with --package-cache", err)
	}
	return &Cache{dir: dir}, nil
}

// Dir returns the folder.
func (c *Cache) Dir() string { return c.dir }

// Integrity returns the SHA-512 of a content in the form of npm, "sha512-" and Base64.
func Integrity(content []byte) string {
	sum := sha512.Sum512(content)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Content returns the content with this integrity, as [Integrity] writes it. ok is false if
// the cache lacks it.
func (c *Cache) Content(integrity string) (content []byte, ok bool, err error) {
	name, err := c.contentName(integrity)
	if err != nil {
		return nil, false, err
	}
	content, err = os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	} else if err != nil {
		return nil, false, fmt.Errorf("cannot read the package cache: %w", err)
	}
	if Integrity(content) != integrity {
		return nil, false, remove(name)
	}
	return content, true, nil
}

// Has reports whether the cache has a content, without reading it.
func (c *Cache) Has(integrity string) bool {
	name, err := c.contentName(integrity)
	if err != nil {
		return false
	}
	_, err = os.Stat(name)
	return err == nil
}

// PutContent stores a content and returns its integrity.
func (c *Cache) PutContent(content []byte) (integrity string, err error) {
	integrity = Integrity(content)
	name, err := c.contentName(integrity)
	if err != nil {
		return "", err
	}
	return integrity, c.write(name, content)
}

func (c *Cache) contentName(integrity string) (string, error) {
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(integrity, "sha512-"))
	if err != nil || len(sum) != sha512.Size || !strings.HasPrefix(integrity, "sha512-") {
		return "", fmt.Errorf("the integrity %.100q is not a SHA-512", integrity)
	}
	text := hex.EncodeToString(sum)
	return filepath.Join(c.dir, "content", text[:2], text[2:]), nil
}

// Get returns the value that was put under the key. kind separates values of different
// meaning and must be a plain word.
func (c *Cache) Get(kind, key string) (value []byte, ok bool, err error) {
	name := c.keyName(kind, key)
	stored, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	} else if err != nil {
		return nil, false, fmt.Errorf("cannot read the package cache: %w", err)
	}
	// The key is part of what is verified, so that a file moved to another name is rejected.
	sum, value, _ := bytes.Cut(stored, []byte("\n"))
	if string(sum) != checksum(kind, key, value) {
		return nil, false, remove(name)
	}
	return value, true, nil
}

// Put stores a value under a key, in place of an earlier one.
func (c *Cache) Put(kind, key string, value []byte) error {
	return c.write(c.keyName(kind, key), append([]byte(checksum(kind, key, value)+"\n"), value...))
}

func (c *Cache) keyName(kind, key string) string {
	sum := sha256.Sum256([]byte(key))
	text := hex.EncodeToString(sum[:])
	return filepath.Join(c.dir, kind, text[:2], text[2:])
}

func checksum(kind, key string, value []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", kind, key)
	h.Write(value)
	return hex.EncodeToString(h.Sum(nil))
}

// write makes a whole file appear under its name.
func (c *Cache) write(name string, content []byte) error {
	fail := func(err error) error {
		return fmt.Errorf("cannot write to the package cache: %w; make room there, or name another folder with --package-cache", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fail(err)
	}
	// In the same folder, because a rename cannot cross file systems.
	file, err := os.CreateTemp(filepath.Dir(name), ".unfinished-")
	if err != nil {
		return fail(err)
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err == nil {
		return nil
	}
	err = errors.Join(err, os.Remove(file.Name()))
	// Where a rename does not replace an open file, another process was faster with it.
	if there, reading := os.ReadFile(name); reading == nil && bytes.Equal(there, content) {
		return nil
	}
	return fail(err)
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove a damaged file from the package cache: %w; remove it yourself", err)
	}
	return nil
}
