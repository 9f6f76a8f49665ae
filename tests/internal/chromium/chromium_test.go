package chromium

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"google-chrome", "chromium", "mine"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	t.Setenv(Env, "")
	if got, err := Find(); err != nil || got != filepath.Join(bin, "chromium") {
		t.Errorf("on the path: %q, %v", got, err)
	}
	t.Setenv(Env, filepath.Join(bin, "mine"))
	if got, err := Find(); err != nil || got != filepath.Join(bin, "mine") {
		t.Errorf("by %s: %q, %v", Env, got, err)
	}
	t.Setenv(Env, filepath.Join(bin, "gone"))
	if got, err := Find(); err == nil || !strings.Contains(err.Error(), Env) {
		t.Errorf("by %s, missing: %q, %v; it must not fall back to another browser", Env, got, err)
	}
	t.Setenv(Env, "")
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(); err == nil || !strings.Contains(err.Error(), "tests/install") {
		t.Errorf("none: %v", err)
	}
}
