package sandbox

import (
	"log/slog"

	"github.com/bellglass/bellglass/protocol"
)

// A Config says what a [Registry] is for. Its zero value is usable.
type Config struct {
	Limits Limits
	// Log takes what happens. Default: nothing is logged.
	Log *slog.Logger
	// Addresses returns those of the sandbox with an id. Default: a sandbox has none.
	Addresses func(id string) Addresses
	// State makes what workers fetch of a version. It is called when the first of them asks,
	// and once for each version. Default: there is nothing to fetch.
	State func(*Sandbox, Version) ([]byte, error)
	// Observer counts what happens. Default: none.
	Observer Observer
}

// Addresses are where a sandbox is found.
type Addresses struct {
	URL  string // the origin of its code
	Page string // to embed
	Host string // of a page that shows it
}

// An Observer is told of what happens to sandboxes. Its methods must not block, nor ask the
// sandbox or the registry for anything.
type Observer interface {
	Created()
	// Refused is told of a sandbox that was not made, because there were too many.
	Refused()
	Ended(sb *Sandbox, reason Reason)
	// Revised is told of each revision, the first included.
	Revised(step protocol.Step)
	// Logged is told of an event by its type and, where it has one, its action.
	Logged(kind, action string)
	// Dropped is told of events that a browser could not keep, Missed of those that somebody
	// who follows a log has missed.
	Dropped(count int)
	Missed(count int)
}

// An Attachment is what a program keeps with a sandbox.
type Attachment struct {
	// Value is what [Sandbox.Attached] returns.
	Value any
	// Advisor may be nil.
	Advisor Advisor
}

// unobserved is the observer of a registry that has none.
type unobserved struct{}

func (unobserved) Created()               {}
func (unobserved) Refused()               {}
func (unobserved) Ended(*Sandbox, Reason) {}
func (unobserved) Revised(protocol.Step)  {}
func (unobserved) Logged(string, string)  {}
func (unobserved) Dropped(int)            {}
func (unobserved) Missed(int)             {}
