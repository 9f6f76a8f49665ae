package sandbox

import (
	"testing"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// Contents that a change removes stay available for as long as a worker may rely on them, and
// no longer. Contents that never existed are not available.
func TestContentsOutlastAChange(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, r *Registry, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		set := func(text string) vfs.Hash {
			t.Helper()
			files, err := r.Store().Snapshot(map[string][]byte{"/a.txt": []byte(text)}, vfs.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sandbox.SetFiles(files); err != nil {
				t.Fatal(err)
			}
			entry, _ := files.Lookup("/a.txt")
			return entry.Hash
		}
		want := func(hash vfs.Hash, text string) {
			t.Helper()
			blob, found := sandbox.Blob(hash)
			if found != (text != "") {
				t.Errorf("the content is there: %v, want %q", found, text)
			}
			if !found {
				return
			}
			if data, err := blob.Bytes(); err != nil || string(data) != text {
				t.Errorf("%q, %v, want %q", data, err, text)
			}
		}
		first := set("first")
		second := set("second")
		want(first, "first")
		pass(OutgoingTime / 2)
		third := set("third")
		want(first, "first")
		want(second, "second")
		pass(OutgoingTime / 2)
		want(first, "")
		want(second, "second")
		pass(OutgoingTime - time.Millisecond)
		want(second, "")
		want(third, "third")
		if len(sandbox.outgoing.files) != 0 {
			t.Errorf("%d replaced revisions are kept", len(sandbox.outgoing.files))
		}
	})
}
