package sandbox

import "github.com/bellglass/bellglass/btcp"

// An Isolation separates an execution from its sandbox: the code runs in a frame without an
// origin, with capabilities instead of the whole policy.
type Isolation struct {
	Grant    btcp.Grant
	InWorker bool
	// call is the name by which an outer frame knows the call of the page above it, or "".
	// Only that page answers the code's requests.
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
