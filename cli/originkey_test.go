package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key is created once, and only this user can read it. An unusable key is an error,
// and its file stays as it is.
func TestOriginKey(t *testing.T) {
	kept := ownState(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, file := range []string{"", "own.key", filepath.Join(dir, "other.key")} {
		first, err := originKey(file)
		if err != nil || len(first) != keySize {
			t.Fatalf("%q: %d bytes, %v", file, len(first), err)
		}
		second, err := originKey(file)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%q: the key has changed, or %v", file, err)
		}
		path := file
		if file == "" {
			path = filepath.Join(filepath.Dir(kept), "keys", "mcp-origins.key")
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for says, broken := range map[string]string{"illegal base64": "!", "holds 3 bytes": "YWJj", "holds 0 bytes": ""} {
			if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := originKey(file); err == nil || !strings.Contains(err.Error(), says) || errors.Is(err, errNotKept) {
				t.Errorf("%q with %q: %v, want %q", file, broken, err, says)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != broken {
				t.Errorf("%q has been changed to %q, %v", file, now, err)
			}
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for says, file := range map[string]string{"no such file": "missing/a.key", "not a regular file": dir + "/."} {
		if _, err := originKey(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", file, err, says)
		}
	}
	// Two programs that start at the same time agree.
	keys := make(chan string)
	for range 8 {
		go func() {
			key, err := originKey("race.key")
			if err != nil {
				key = []byte(err.Error())
			}
			keys <- string(key)
		}()
	}
	first := <-keys
	for range 7 {
		if key := <-keys; key != first {
			t.Errorf("the keys are %q and %q", first, key)
		}
	}
	// If the state folder cannot be written, only the lasting origins are lost.
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "LocalAppData", "XDG_STATE_HOME"} {
		t.Setenv(name, blocked)
	}
	if _, err := originKey(""); !errors.Is(err, errNotKept) {
		t.Errorf("a state folder that is a file: %v", err)
	}
}
