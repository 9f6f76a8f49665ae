package sandbox

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

func newTestRegistry(t testing.TB, config Config) *Registry {
	t.Helper()
	r, err := NewRegistry(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func mustCreate(t testing.TB, r *Registry) *Sandbox {
	t.Helper()
	files, err := r.Store().Snapshot(map[string][]byte{"/index.html": []byte("x"), "/a.txt": []byte("contents")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := r.Create(Spec{Files: files}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sb
}

// inBubble runs the test in a synctest bubble, which has its own time, with n sandboxes.
func inBubble(t *testing.T, config Config, n int, test func(*testing.T, *Registry, []*Sandbox)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newTestRegistry(t, config)
		var sandboxes []*Sandbox
		for range n {
			sandboxes = append(sandboxes, mustCreate(t, r))
		}
		test(t, r, sandboxes)
	})
}

// pass lets time d pass in the bubble, and waits for everything that follows from it.
func pass(d time.Duration) {
	synctest.Wait()
	<-time.After(d)
	synctest.Wait()
}

// A list has its pages in the order of creation, even if sandboxes are removed meanwhile.
func TestListHasPages(t *testing.T) {
	r := newTestRegistry(t, Config{})
	var made []*Sandbox
	for range 5 {
		made = append(made, mustCreate(t, r))
	}
	first := r.List(Page{Limit: 2})
	if len(first) != 2 || first[0] != made[0] || first[1] != made[1] {
		t.Fatalf("the first page has %v", first)
	}
	r.Remove(made[1].ID())
	r.Remove(made[2].ID())
	rest := r.List(Page{After: first[1].Number(), Limit: 10})
	if len(rest) != 2 || rest[0] != made[3] || rest[1] != made[4] {
		t.Errorf("the rest is %v", rest)
	}
	if all := r.List(Page{}); len(all) != 3 || r.Len() != 3 || r.First() != made[0] {
		t.Errorf("all are %v, %d", all, r.Len())
	}
}
