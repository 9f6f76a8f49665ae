package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// wantUsage checks what counts: this many contents, and this many bytes besides the
// cost of the files at the paths.
func wantUsage(t *testing.T, store *Store, contents int, size int64, paths ...string) {
	t.Helper()
	for _, path := range paths {
		size += fileCost + int64(len(path))
	}
	if gotContents, gotBytes := store.Usage(); gotContents != contents || gotBytes != size {
		t.Errorf("%d contents count with %d bytes, want %d with %d", gotContents, gotBytes, contents, size)
	}
}

// wantFull checks for the error that the store has no room for the file at path.
func wantFull(t *testing.T, err error, path string, limit int64) {
	t.Helper()
	if full, ok := errors.AsType[*LimitError](err); !ok || full.What != LimitStore || full.Path != path || full.Max != limit || full.Got <= limit {
		t.Errorf("the error is %v, want one of a full store at %s", err, path)
	}
}

func TestHeldSnapshotsCount(t *testing.T) {
	store := newStore()
	snapshot := func(files map[string][]byte) *Snapshot {
		t.Helper()
		snap, err := store.Snapshot(files, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	hold := func(snap *Snapshot) {
		t.Helper()
		if err := store.Hold(snap); err != nil {
			t.Fatal(err)
		}
	}
	one := snapshot(map[string][]byte{"/a": []byte("shared"), "/b": []byte("one's")})
	two := snapshot(map[string][]byte{"/long/c": []byte("shared"), "/d": []byte("shared"), "/e": nil})
	wantUsage(t, store, 0, 0) // a snapshot that is not held does not count

	hold(one)
	wantUsage(t, store, 2, 11, "/a", "/b")
	hold(one)
	wantUsage(t, store, 2, 11, "/a", "/b")
	hold(two) // "shared" counts once
	wantUsage(t, store, 3, 11, "/a", "/b", "/long/c", "/d", "/e")
	store.Release(one)
	wantUsage(t, store, 3, 11, "/a", "/b", "/long/c", "/d", "/e")
	store.Release(one) // immediately, whether or not a content has been freed
	wantUsage(t, store, 2, 6, "/long/c", "/d", "/e")

	next, err := two.With(Put("/d", []byte("next")), Delete("/e"))
	if err != nil {
		t.Fatal(err)
	}
	wantUsage(t, store, 2, 6, "/long/c", "/d", "/e")
	hold(next)
	store.Release(two)
	wantUsage(t, store, 2, 10, "/long/c", "/d")
	hold(one)
	store.Release(next)
	store.Release(one)
	wantUsage(t, store, 0, 0)

	if text, err := one.ReadFile("b"); err != nil || string(text) != "one's" {
		t.Errorf("a released snapshot has %q, %v", text, err)
	}
	if err := newStore().Hold(one); err == nil {
		t.Error("a store holds a snapshot of another store")
	}
	if err := store.Hold(&Snapshot{}); err != nil {
		t.Errorf("holding the zero Snapshot: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a released snapshot can be released again")
		}
	}()
	store.Release(one)
}

// The same tree from each source, with room for all but one byte.
func TestStoreLimit(t *testing.T) {
	files := map[string][]byte{"/a": []byte("1234"), "/b/c": []byte("1234"), "/d": []byte("12")}
	const held = 100
	var exact int64 = held + fileCost + int64(len("/held")) + 6
	for path := range files {
		exact += fileCost + int64(len(path))
	}
	var items []item
	for _, path := range []string{"a", "b/c", "d"} {
		items = append(items, item{name: path, content: string(files["/"+path])})
	}
	dir := tree(t, files)
	for name, take := range map[string]func(*Store) (*Snapshot, error){
		"Snapshot": func(s *Store) (*Snapshot, error) { return s.Snapshot(files, DefaultLimits()) },
		"FromFS": func(s *Store) (*Snapshot, error) {
			return s.FromFS(mustSnapshot(t, files), DefaultLimits())
		},
		"zip": func(s *Store) (*Snapshot, error) {
			return s.FromArchive("application/zip", bytes.NewReader(makeZip(t, items...)), DefaultLimits())
		},
		"tar": func(s *Store) (*Snapshot, error) {
			return s.ReadTar(bytes.NewReader(makeTar(t, items...)), DefaultLimits())
		},
		"With": func(s *Store) (*Snapshot, error) {
			empty, err := s.Snapshot(nil, DefaultLimits())
			if err != nil {
				return nil, err
			}
			return empty.With(Put("/a", files["/a"]), Put("/b/c", files["/b/c"]), Put("/d", files["/d"]))
		},
		"Folder": func(s *Store) (*Snapshot, error) {
			f, err := OpenFolder(dir, s, DefaultLimits())
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return f.Snapshot()
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []int64{exact, exact - 1} {
				store := NewStore(limit)
				before, err := store.Snapshot(map[string][]byte{"/held": bytes.Repeat([]byte("h"), held)}, DefaultLimits())
				if err == nil {
					err = store.Hold(before)
				}
				if err != nil {
					t.Fatal(err)
				}
				snap, err := take(store)
				if limit == exact {
					if err != nil || snap.Len() != len(files) {
						t.Fatalf("with room for all: %v, %v", snap, err)
					}
					if err := store.Hold(snap); err != nil {
						t.Fatal(err)
					}
					wantUsage(t, store, 3, held+6, "/held", "/a", "/b/c", "/d")
					continue
				}
				wantFull(t, err, "/d", limit)
				if snap != nil {
					t.Error("there is a snapshot beside the error")
				}
				// What was made before the failure does not count either, and the last
				// file was not copied.
				wantUsage(t, store, 1, held, "/held")
				if n := known(store); n > 2 {
					t.Errorf("the store has %d contents", n)
				}
			}
		})
	}
}

func TestHoldIsWholeOrNotAtAll(t *testing.T) {
	store := NewStore(3*(fileCost+2) + 10)
	first, err := store.Snapshot(map[string][]byte{"/a": []byte("12345"), "/b": []byte("12345")}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	second, err := store.Snapshot(map[string][]byte{"/a": []byte("12345"), "/c": []byte("6")}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Hold(first); err != nil {
		t.Fatal(err)
	}
	wantFull(t, store.Hold(second), "/c", store.max)
	wantUsage(t, store, 1, 5, "/a", "/b")
	store.Release(first)
	if err := store.Hold(second); err != nil {
		t.Errorf("with room again: %v", err)
	}
	wantUsage(t, store, 2, 6, "/a", "/c")
	if _, err := NewStore(0).Snapshot(map[string][]byte{"/a": nil}, DefaultLimits()); err == nil {
		t.Error("a store without any room takes a file")
	}
}

// A small archive that unpacks to much is rejected as soon as the store is full, before
// it is unpacked completely.
func TestUnpackingCountsAsItGoes(t *testing.T) {
	const size, files, room = 1 << 16, 32, 4
	var items []item
	for i := range files {
		items = append(items, item{name: fmt.Sprintf("%02d", i), content: strings.Repeat(fmt.Sprintf("%02d", i), size/2)})
	}
	store := NewStore(room*(size+fileCost+3) + size/2)
	for kind, data := range map[string][]byte{"application/zip": makeZip(t, items...), "application/gzip": packed(t, makeTar(t, items...))} {
		if len(data) > size {
			t.Fatalf("the archive has %d bytes", len(data))
		}
		snap, err := store.FromArchive(kind, bytes.NewReader(data), DefaultLimits())
		wantFull(t, err, fmt.Sprintf("/%02d", room), store.max)
		if snap != nil {
			t.Error("there is a snapshot beside the error")
		}
		wantUsage(t, store, 0, 0)
	}
}

// However many snapshots are made, held, and released concurrently, the limit holds at
// every moment. In the end nothing counts.
func TestCountingIsConcurrent(t *testing.T) {
	const most = 20 * (fileCost + 2 + 64)
	store := NewStore(most)
	var group sync.WaitGroup
	for seed := range uint64(8) {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1))
			for range 500 {
				files := map[string][]byte{}
				for i := range random.IntN(6) {
					files[fmt.Sprintf("/%d", i)] = bytes.Repeat([]byte{byte(random.IntN(12))}, 64)
				}
				snap, err := store.Snapshot(files, DefaultLimits())
				if err != nil {
					continue // the store was full
				}
				if _, size := store.Usage(); size > most {
					t.Errorf("%d bytes count, more than %d", size, most)
				}
				if store.Hold(snap) != nil {
					continue
				}
				if next, err := snap.With(Put("/0", []byte{byte(random.IntN(12))})); err == nil && store.Hold(next) == nil {
					store.Release(next)
				}
				store.Release(snap)
			}
		})
	}
	group.Wait()
	wantUsage(t, store, 0, 0)
}
