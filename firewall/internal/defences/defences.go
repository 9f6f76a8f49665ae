// Package defences holds the switch that turns the firewall's defences off. It
// is internal to firewall, so that the only other package that can reach it is
// firewall/firewalltest.
package defences

// Set says which defences are in force. Its zero value is all of them.
type Set struct{ off bool }

// None is the set without any defence.
func None() Set { return Set{off: true} }

// Off reports whether the defences are off.
func (s Set) Off() bool { return s.off }
