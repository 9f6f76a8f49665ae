package programs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		find  func() (string, error)
		env   string
		names []string // on the path
		first string
	}{
		{find: Firefox, env: FirefoxEnv, names: []string{"firefox", "firefox-esr"}, first: "firefox-esr"},
		{find: WebKitDriver, env: WebKitDriverEnv, names: []string{"WebKitWebDriver"}, first: "WebKitWebDriver"},
		{find: Xvfb, names: []string{"Xvfb"}, first: "Xvfb"},
	} {
		t.Run(test.first, func(t *testing.T) {
			bin := t.TempDir()
			for _, name := range append(test.names, "mine") {
				if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv(FirefoxEnv, "")
			t.Setenv(WebKitDriverEnv, "")
			t.Setenv("PATH", bin)
			if got, err := test.find(); err != nil || got != filepath.Join(bin, test.first) {
				t.Errorf("on the path: %q, %v", got, err)
			}
			if test.env != "" {
				t.Setenv(test.env, filepath.Join(bin, "mine"))
				if got, err := test.find(); err != nil || got != filepath.Join(bin, "mine") {
					t.Errorf("by %s: %q, %v", test.env, got, err)
				}
				t.Setenv(test.env, filepath.Join(bin, "gone"))
				if got, err := test.find(); err == nil || !strings.Contains(err.Error(), test.env) {
					t.Errorf("by %s, missing: %q, %v; it must not fall back to another", test.env, got, err)
				}
				t.Setenv(test.env, "")
			}
			t.Setenv("PATH", t.TempDir())
			if _, err := test.find(); err == nil || !strings.Contains(err.Error(), "tests/install") || !strings.Contains(err.Error(), test.env) {
				t.Errorf("none: %v", err)
			}
		})
	}
}
