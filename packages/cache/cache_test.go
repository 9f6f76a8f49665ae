package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func open(t *testing.T) *Cache {
	t.Helper()
	c, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestContent(t *testing.T) {
	c := open(t)
	integrity, err := c.PutContent([]byte("hello"))
	if err != nil || !strings.HasPrefix(integrity, "sha512-") || !c.Has(integrity) {
		t.Fatalf("%q, %v", integrity, err)
	}
	if content, ok, err := c.Content(integrity); string(content) != "hello" || !ok || err != nil {
		t.Errorf("%q, %v, %v", content, ok, err)
	}
	if _, ok, err := c.Content(Integrity([]byte("other"))); ok || err != nil {
		t.Errorf("what was not put: %v, %v", ok, err)
	}
	for _, bad := range []string{"", "sha1-abc", "sha512-", "sha512-../../x", "sha512-" + strings.Repeat("!", 88)} {
		if _, _, err := c.Content(bad); err == nil || c.Has(bad) {
			t.Errorf("the integrity %q is accepted", bad)
		}
	}
}

func TestValues(t *testing.T) {
	c := open(t)
	for _, value := range []string{"one", "two\nlines\n", ""} {
		if err := c.Put("kind", "key", []byte(value)); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := c.Get("kind", "key"); string(got) != value || !ok || err != nil {
			t.Errorf("%q, %v, %v", got, ok, err)
		}
	}
	for _, other := range [][2]string{{"kind", "other"}, {"other", "key"}} {
		if _, ok, err := c.Get(other[0], other[1]); ok || err != nil {
			t.Errorf("%v: %v, %v", other, ok, err)
		}
	}
}

// A damaged file counts as absent, and can be put again.
func TestDamage(t *testing.T) {
	c := open(t)
	integrity, err := c.PutContent([]byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Put("kind", "key", []byte("value")); err != nil {
		t.Fatal(err)
	}
	count := 0
	err = filepath.WalkDir(c.Dir(), func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		count++
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text[len(text)-1] ^= 1
		return os.WriteFile(name, text, 0o644)
	})
	if err != nil || count != 2 {
		t.Fatalf("%d files, %v", count, err)
	}
	if _, ok, err := c.Content(integrity); ok || err != nil || c.Has(integrity) {
		t.Errorf("damaged content: %v, %v", ok, err)
	}
	if _, ok, err := c.Get("kind", "key"); ok || err != nil {
		t.Errorf("damaged value: %v, %v", ok, err)
	}
	if _, err := c.PutContent([]byte("hello")); err != nil || !c.Has(integrity) {
		t.Error("cannot be put again", err)
	}
}

// A value is bound to its key: a file that somebody moves to another name is not accepted.
func TestMovedFile(t *testing.T) {
	c := open(t)
	for _, key := range []string{"a", "b"} {
		if err := c.Put("kind", key, []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(c.keyName("kind", "a"), c.keyName("kind", "b")); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := c.Get("kind", "b"); ok || err != nil {
		t.Errorf("%q, %v, %v", got, ok, err)
	}
}

// Readers see a whole file, whatever is written at the same time.
func TestConcurrent(t *testing.T) {
	c := open(t)
	values := map[string]bool{}
	for i := range 4 {
		values[string(bytes.Repeat([]byte(fmt.Sprint(i)), 100_000))] = true
	}
	var all sync.WaitGroup
	for value := range values {
		all.Go(func() {
			for range 20 {
				if err := c.Put("kind", "key", []byte(value)); err != nil {
					t.Error(err)
				}
				if got, ok, err := c.Get("kind", "key"); !ok || err != nil || !values[string(got)] {
					t.Errorf("%d bytes, %v, %v", len(got), ok, err)
				}
			}
		})
	}
	all.Wait()
	left, err := filepath.Glob(filepath.Join(c.Dir(), "kind", "*", ".unfinished-*"))
	if err != nil || left != nil {
		t.Errorf("unfinished files are left: %v, %v", left, err)
	}
}
