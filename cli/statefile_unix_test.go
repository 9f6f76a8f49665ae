//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The state folder and the file are used only if nobody else has access.
func TestKeptIDIsPrivate(t *testing.T) {
	mode := func(pattern string, mode os.FileMode) func(*testing.T, string, string) {
		return func(t *testing.T, ids, _ string) {
			names, err := filepath.Glob(filepath.Join(ids, pattern))
			if err != nil || len(names) != 1 {
				t.Fatalf("%q, %v", names, err)
			}
			if info, err := os.Stat(names[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s is made with %v, %v", names[0], info.Mode(), err)
			}
			if err := os.Chmod(names[0], mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range []struct {
		name  string
		spoil func(t *testing.T, ids, id string)
		says  []string
		mends bool
	}{
		{"the group may read the file", mode("*.json", 0o640), []string{"mode 0640", "other users", "--fresh"}, true},
		{"anybody may write the file", mode("*.json", 0o602), []string{"mode 0602", "other users", "--fresh"}, true},
		{"anybody may list the folder", mode(".", 0o755), []string{"mode 0755", "other users", "mode 700"}, false},
		{"the group may change the folder", mode(".", 0o770), []string{"mode 0770", "other users", "mode 700"}, false},
	} {
		t.Run(row.name, func(t *testing.T) { refusesKeptID(t, row.spoil, row.says, row.mends) })
	}
	info, err := os.Stat(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := private(info, os.Geteuid()+1); err == nil || !strings.Contains(err.Error(), "belongs to the user") {
		t.Errorf("another user's folder is used: %v", err)
	}
}
