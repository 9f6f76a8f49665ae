package sandbox

import "github.com/bellglass/bellglass/protocol"

// An Advisor knows what the author of a sandbox's code can do about a refusal. Its methods
// are called by several goroutines at once.
type Advisor interface {
	// Advise is about a request, of which the method may be unknown.
	Advise(directive, method, url string) protocol.Remedy
	// AdviseLeaving is about a navigation to another origin.
	AdviseLeaving() protocol.Remedy
}

func (sb *Sandbox) advise(directive, method, url string) protocol.Remedy {
	if sb.attached.Advisor == nil {
		return protocol.Remedy{}
	}
	return sb.attached.Advisor.Advise(directive, method, url)
}

func (sb *Sandbox) adviseLeaving() protocol.Remedy {
	if sb.attached.Advisor == nil {
		return protocol.Remedy{}
	}
	return sb.attached.Advisor.AdviseLeaving()
}
