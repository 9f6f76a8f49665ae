// Package firewalltest can switch the firewall off, which makes it dangerous: code in a
// sandbox without defenses reaches the whole network. The package exists for positive
// controls, which are tests that show that an attack works without the firewall. Only tests
// may import it, and a test enforces that.
package firewalltest

import (
	"fmt"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/internal/defences"
)

// NoDefences returns a set without any defense. It panics without a reason. The reason
// explains the call to readers of the source.
func NoDefences(reason string) firewall.Defences {
	if reason == "" {
		panic("firewalltest: switching the defences off needs a reason")
	}
	return defences.None()
}

// Without returns a set of all defenses except the given ones, to see what gets out without
// them. [firewall.AllDefences] lists them.
func Without(taken ...firewall.Defence) firewall.Defences { return defences.Without(taken...) }

// Defence returns the defense with the name. It panics for an unknown name.
func Defence(name string) firewall.Defence {
	for _, d := range firewall.AllDefences() {
		if d.String() == name {
			return d
		}
	}
	panic(fmt.Sprintf("firewalltest: there is no defence %q", name))
}
