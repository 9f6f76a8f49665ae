// Package firewalltest can switch the firewall off, which makes it dangerous:
// what runs in a sandbox without defences reaches the whole network. It exists
// for positive controls, the tests which show that an attack that the firewall
// stops is a real one. Nothing but a test may import it, and a test says so.
package firewalltest

import (
	"fmt"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/internal/defences"
)

// NoDefences returns a set without any defence. It panics without a reason,
// which stands in the source for the reader.
func NoDefences(reason string) firewall.Defences {
	if reason == "" {
		panic("firewalltest: switching the defences off needs a reason")
	}
	return defences.None()
}

// Without returns a set of all defences but these, to see what gets out without
// them. [firewall.AllDefences] lists them.
func Without(taken ...firewall.Defence) firewall.Defences { return defences.Without(taken...) }

// Defence is the defence of that name. It panics for another name.
func Defence(name string) firewall.Defence {
	for _, d := range firewall.AllDefences() {
		if d.String() == name {
			return d
		}
	}
	panic(fmt.Sprintf("firewalltest: there is no defence %q", name))
}
