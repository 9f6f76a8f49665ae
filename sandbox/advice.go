package sandbox

import "github.com/bellglass/bellglass/protocol"

// An Advisor advises the author of a sandbox's code what to do about a refusal. Several
// goroutines call its methods at once.
type Advisor interface {
	// Advise advises about a refused request. The method is "" if it is not known.
	Advise(directive, method, url string) protocol.Remedy
	// AdviseLeaving advises about a refused navigation to another origin.
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
