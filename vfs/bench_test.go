package vfs

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
)

// BenchmarkSnapshot makes a snapshot of 1,000 files of 2 KB: in an empty store, in a
// store that has the contents already, and by changing one file. The reference copies
// and hashes the same bytes, which an empty store cannot avoid.
func BenchmarkSnapshot(b *testing.B) {
	files := make(map[string][]byte, 1000)
	for i := range 1000 {
		files[fmt.Sprintf("/src/module%d/file%d.js", i%20, i)] = bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 1024)
	}
	snapshot := func(b *testing.B, store *Store) *Snapshot {
		snap, err := store.Snapshot(files, DefaultLimits())
		if err != nil {
			b.Fatal(err)
		}
		return snap
	}
	b.Run("reference", func(b *testing.B) {
		b.SetBytes(1000 * 2048)
		for b.Loop() {
			for _, data := range files {
				sha256.Sum256(bytes.Clone(data))
			}
		}
	})
	b.Run("new", func(b *testing.B) {
		b.SetBytes(1000 * 2048)
		for b.Loop() {
			snapshot(b, newStore())
		}
	})
	b.Run("shared", func(b *testing.B) {
		store := newStore()
		kept := snapshot(b, store)
		b.SetBytes(1000 * 2048)
		for b.Loop() {
			snapshot(b, store)
		}
		if kept.Len() != 1000 {
			b.Fatal("files are missing")
		}
	})
	b.Run("one changed", func(b *testing.B) {
		snap := snapshot(b, newStore())
		data := []byte("changed")
		for b.Loop() {
			if _, err := snap.With(Put("/src/module1/file1.js", data)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
