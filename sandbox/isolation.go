package sandbox

import "github.com/bellglass/bellglass/btcp"

// An Isolation is what sets an execution apart from its sandbox: a frame without an
// origin, and capabilities in place of the whole policy.
type Isolation struct {
	Grant    btcp.Grant
	InWorker bool
	// call is the name by which an outer frame knows what the page above it has called,
	// or "". That page alone answers what the code asks.
	call string
}

// isolation returns nil for code that runs at the sandbox's origin.
func (e *Execution) isolation() (*Isolation, error) {
	switch e.Context {
	case "", ContextWorker, ContextFrame:
	default:
		return nil, reject(CodeBadContext, "Unknown context %.40q. Use worker or frame.", e.Context)
	}
	if e.Capabilities == nil && e.Context != ContextFrame {
		return nil, nil
	}
	grant, err := btcp.ParseCapabilities(e.Capabilities)
	if err == nil && e.call == "" {
		err = grant.Alone()
	}
	if err != nil {
		return nil, reject(CodeBadCapability, "The capabilities are rejected: %v.", err)
	}
	return &Isolation{Grant: grant, InWorker: e.Context != ContextFrame, call: e.call}, nil
}
