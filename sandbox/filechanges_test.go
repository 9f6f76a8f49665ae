package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

func TestFileChangesAreCut(t *testing.T) {
	var many []string
	for i := range 3 * protocol.ListedPaths {
		many = append(many, fmt.Sprintf("/%03d", i))
	}
	got := FileChanges(vfs.Diff{Added: many, Changed: []string{"/a"}})
	if got.Added.Count != len(many) || len(got.Added.List) != protocol.ListedPaths || got.Changed.Count != 1 || len(got.Changed.List) != 1 {
		t.Errorf("%d added files give %d of %d, then %d of %d", len(many), len(got.Added.List), got.Added.Count, len(got.Changed.List), got.Changed.Count)
	}
	if got.Removed.Count != 0 || got.Removed.List == nil {
		t.Errorf("no removed file gives %#v; JSON needs an empty list", got.Removed)
	}
	long := strings.Repeat("x", listedBytes)
	if got := FileChanges(vfs.Diff{Changed: []string{long[:listedBytes-1], "/b"}}); got.Changed.Count != 2 || len(got.Changed.List) != 1 {
		t.Errorf("beyond %d bytes there are %d of %d paths", listedBytes, len(got.Changed.List), got.Changed.Count)
	}
	if FileChanges(vfs.Diff{}) != nil {
		t.Error("an event lists files although none differs")
	}
}
