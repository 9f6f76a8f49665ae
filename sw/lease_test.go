package sw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A lease has expired when either clock says so, or when either clock has gone backwards.
func TestLeaseCountsByBothClocks(t *testing.T) {
	type row struct {
		Name         string
		Wall, Steady float64 // milliseconds that each clock has advanced
		Length       any
		Holds        bool
	}
	rows := []row{
		{"at once", 0, 0, 900, true},
		{"just before", 899, 899, 900, true},
		{"its time is up", 900, 900, 900, false},
		{"the machine has slept, and the steady clock with it", 60_000, 3, 900, false},
		{"the wall clock was set, and stands", 0, 901, 900, false},
		{"the wall clock was set back", -1, 5, 900, false},
		{"the steady clock was set back", 5, -1, 900, false},
		{"of no length", 0, 0, 0, false},
		{"the server says nothing", 0, 0, nil, false},
		{"the server says no number", 0, 0, "soon", false},
		{"negative", 0, 0, -5, false},
	}
	var got []bool
	runNode(t, `import { Lease, moment } from '../sw/src/lease'
let wall = 1_700_000_000_000, steady = 5_000
Date.now = () => wall
performance.now = () => steady
print([...input.map((row: any) => {
	const lease = new Lease().orLater(moment(), row.Length === null ? NaN : Number(row.Length))
	wall += row.Wall; steady += row.Steady
	return lease.holds()
}), new Lease().holds(), (() => {
	const early = new Lease().orLater(moment(), 900)
	steady += 500
	const late = early.orLater(moment(), 900), shorter = late.orLater(moment(), 100)
	steady += 500
	return !early.holds() && late.holds() && shorter.holds()
})()])
`, rows, &got)
	var want []bool
	for _, r := range rows {
		want = append(want, r.Holds)
	}
	if diff := cmp.Diff(append(want, false, true), got); diff != "" {
		t.Errorf("the leases hold otherwise (-want +got):\n%s", diff)
	}
}
