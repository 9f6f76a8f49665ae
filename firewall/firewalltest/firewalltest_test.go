package firewalltest_test

import (
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/firewalltest"
)

func TestNoDefences(t *testing.T) {
	for _, d := range firewall.AllDefences() {
		if !(firewall.Defences{}).Has(d) {
			t.Errorf("the zero Defences are without %s", d)
		}
		if firewalltest.NoDefences("to see that it is off").Has(d) {
			t.Errorf("NoDefences leaves %s on", d)
		}
		for _, other := range firewall.AllDefences() {
			if got := firewalltest.Without(d).Has(other); got != (other != d) {
				t.Errorf("without %s, %s is %t", d, other, got)
			}
		}
		if d.String() == "" {
			t.Errorf("defence %d has no name", d)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("NoDefences does without a reason")
		}
	}()
	firewalltest.NoDefences("")
}
