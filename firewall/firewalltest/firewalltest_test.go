package firewalltest_test

import (
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/firewalltest"
)

func TestNoDefenses(t *testing.T) {
	for _, d := range firewall.AllDefenses() {
		if !(firewall.Defenses{}).Has(d) {
			t.Errorf("the zero Defenses are without %s", d)
		}
		if firewalltest.NoDefenses("to see that it is off").Has(d) {
			t.Errorf("NoDefenses leaves %s on", d)
		}
		for _, other := range firewall.AllDefenses() {
			if got := firewalltest.Without(d).Has(other); got != (other != d) {
				t.Errorf("without %s, %s is %t", d, other, got)
			}
		}
		if d.String() == "" {
			t.Errorf("defense %d has no name", d)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("NoDefenses accepts an empty reason")
		}
	}()
	firewalltest.NoDefenses("")
}
