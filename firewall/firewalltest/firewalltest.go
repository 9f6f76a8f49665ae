// Package firewalltest can switch the firewall off, which makes it dangerous: code in a
// sandbox without defenses reaches the whole network. The package exists for positive
// controls, which are tests that show that an attack works without the firewall. Only tests
// may import it, and a test enforces that.
package firewalltest

import (
	"fmt"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/internal/defenses"
)

// NoDefenses returns a set without any defense. It panics without a reason. The reason
// explains the call to readers of the source.
func NoDefenses(reason string) firewall.Defenses {
	if reason == "" {
		panic("firewalltest: switching the defenses off needs a reason")
	}
	return defenses.None()
}

// Without returns a set of all defenses except the given ones, to see what gets out without
// them. [firewall.AllDefenses] lists them.
func Without(taken ...firewall.Defense) firewall.Defenses { return defenses.Without(taken...) }

// Defense returns the defense with the name. It panics for an unknown name.
func Defense(name string) firewall.Defense {
	for _, d := range firewall.AllDefenses() {
		if d.String() == name {
			return d
		}
	}
	panic(fmt.Sprintf("firewalltest: there is no defense %q", name))
}
