package server

import (
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// What a change takes away can be had for as long as a worker may still count on
// it, and no longer; and what was never there cannot.
func TestContentsOutlastAChange(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		set := func(text string) vfs.Hash {
			t.Helper()
			files, err := s.Store().Snapshot(map[string][]byte{"/a.txt": []byte(text)}, vfs.DefaultLimits())
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
			w := answer(s, sandbox.as("GET", protocol.BlobPath+hash.String(), ""))
			if text == "" {
				if w.Code != 404 {
					t.Errorf("what is gone is answered with %d %q", w.Code, w.Body)
				}
				return
			}
			if w.Code != 200 || w.Body.String() != text {
				t.Errorf("%d %q, want %q", w.Code, w.Body, text)
			}
		}
		first := set("first")
		second := set("second")
		want(first, "first")
		pass(outgoingTime / 2)
		third := set("third")
		want(first, "first")
		want(second, "second")
		pass(outgoingTime / 2)
		want(first, "")
		want(second, "second")
		pass(outgoingTime - time.Millisecond)
		want(second, "")
		want(third, "third")
		if len(sandbox.outgoing.files) != 0 {
			t.Errorf("%d replaced revisions are kept", len(sandbox.outgoing.files))
		}
	})
}
