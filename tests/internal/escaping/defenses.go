package escaping

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
)

// A Witness shows what a defense is for: rows that get out if only this one is removed.
type Witness struct {
	Defense string
	Rows    []string
}

// without returns a column of sandboxes that lack a defense.
func without(d firewall.Defense) column {
	return column{fmt.Sprintf("m%d", d), "without " + d.String(), func(c *server.Config) { c.Defenses = firewalltest.Without(d) }}
}

// Defenses removes the defenses, one at a time. With the flag -learn it runs all
// selected rows without each defense, and prints which ones get out.
func (b Browser) Defenses(t *testing.T, witnesses []Witness) {
	open, finish := b.Drive(t)
	known, err := escape.Known(b.Engine)
	if err != nil {
		t.Fatal(err)
	}
	var columns []column
	for _, d := range firewall.AllDefenses() {
		if *learn || slices.ContainsFunc(witnesses, func(w Witness) bool { return w.Defense == d.String() }) {
			columns = append(columns, without(d))
		}
	}
	s := newSuite(t, b, columns)
	s.known = known
	// The witnesses are for the ordinary policy. The policy of an app has no rule for a method.
	s.app = b.Workerless
	byName := map[string]escape.Row{}
	for _, r := range s.rows {
		byName[r.Name] = r
	}
	if *learn {
		witnesses = nil
		var rows []string
		for _, r := range s.selected(t) {
			rows = append(rows, r.Name)
		}
		for _, d := range firewall.AllDefenses() {
			witnesses = append(witnesses, Witness{d.String(), rows})
		}
	}
	for _, w := range witnesses {
		c := without(firewalltest.Defense(w.Defense))
		var rows []escape.Row
		for _, name := range w.Rows {
			r, found := byName[name]
			if !found {
				t.Fatalf("there is no row %s", name)
			}
			rows = append(rows, r)
		}
		s.runAll(t, open, escape.Batches(rows), []column{c})
	}
	finish()
	s.quiesce(t)
	var table strings.Builder
	for _, w := range witnesses {
		c := without(firewalltest.Defense(w.Defense))
		fmt.Fprintf(&table, "%s\n", c.name)
		for _, name := range w.Rows {
			r := byName[name]
			seen := known.Leaks[name].Beyond(s.net.Seen(s.token(r, c)))
			if end := s.endOf(s.token(r, c)); strings.HasPrefix(end.Text, "Error: BREACH:") {
				seen += " " + end.Text
			}
			if seen != "" {
				fmt.Fprintf(&table, "    %-40s %s\n", name, seen)
			} else if !*learn {
				t.Errorf("%s keeps inside %s, which is listed to get out then (%s)", name, c.name, r.About)
			}
		}
	}
	t.Logf("what gets out when one defense is taken away:\n%s", table.String())
}

// settle waits for what a batch without a control may still send.
func (s *suite) settle(b escape.Batch, c column) {
	limit := patience
	if *learn {
		limit = 3 * time.Second
		if first := b.Rows[0]; !first.Leaves && first.Gesture == "" {
			return // its page has reported that it is done
		}
	}
	for _, r := range b.Rows {
		token := s.token(r, c)
		s.await(limit, hitOf(token))
	}
}
