package sandbox

import (
	"testing"
	"testing/synctest"
)

// Expired leases do not accumulate.
func TestLeasesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeases()
		leave := l.listen("a")
		for revision := range int64(1_000) {
			l.begin(revision)
			l.grant("a", revision)
			pass(LeaseTime / 10)
		}
		if len(l.held) > 10 {
			t.Errorf("%d leases are held", len(l.held))
		}
		if leave(); len(l.listeners) != 0 {
			t.Errorf("the listeners are %v", l.listeners)
		}
		if l.grant("a", 999) != 0 {
			t.Error("who has left has a lease")
		}
	})
}
