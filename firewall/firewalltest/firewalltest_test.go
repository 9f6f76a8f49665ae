package firewalltest_test

import (
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/firewalltest"
)

func TestNoDefences(t *testing.T) {
	if (firewall.Defences{}).Off() {
		t.Error("the zero Defences are off")
	}
	if !firewalltest.NoDefences("to see that they are off").Off() {
		t.Error("NoDefences leaves the defences on")
	}
	defer func() {
		if recover() == nil {
			t.Error("NoDefences does without a reason")
		}
	}()
	firewalltest.NoDefences("")
}
