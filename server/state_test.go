package server

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// The state is encoded once for each revision, when a worker first requests it.
func TestStateIsWrittenWhenAskedFor(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	sandbox := sandboxes[0]
	state := func() string {
		t.Helper()
		w := answer(s, sandbox.as("GET", protocol.StatePath, ""))
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		return w.Body.String()
	}
	first := state()
	if again := state(); again != first {
		t.Error("one revision has two states")
	}
	if n := testing.AllocsPerRun(10, func() {
		v, _ := sandbox.Version()
		if _, err := v.State(); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a state that was asked for is written again: %v allocations", n)
	}
	before, _ := sandbox.Version()
	if _, err := sandbox.SetPolicy(nil); err != nil {
		t.Fatal(err)
	}
	if next := state(); next == first {
		t.Error("another revision has the same state")
	}
	if old, err := before.State(); err != nil || !strings.Contains(first, string(old)) {
		t.Errorf("who holds a revision reads another's state: %s, %v", old, err)
	}
}
