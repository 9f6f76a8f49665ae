package sandbox

import (
	"log/slog"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
)

// A Config configures a [Registry]. Its zero value is usable.
type Config struct {
	Limits Limits
	// Log receives the log lines. Default: nothing is logged.
	Log *slog.Logger
	// Addresses returns the addresses of the sandbox with this id. Default: a sandbox has
	// none.
	Addresses func(id string) Addresses
	// State encodes what workers fetch of a version. It is called once for each version, when
	// the first worker asks. Default: there is nothing to fetch.
	State func(*Sandbox, Version) ([]byte, error)
	// Compiler compiles the files. Default: one that all
	// registries share, which compiles in processes of its own.
	Compiler *compile.Compiler
	// Observer counts what happens. Default: none.
	Observer Observer
}

// Addresses are the URLs of a sandbox.
type Addresses struct {
	URL  string // the inner origin, where its code runs
	Page string // the page to embed
	Host string // the host page that shows it
}

// An Observer is notified of what happens to sandboxes. Its methods must not block, and must
// not call methods of the sandbox or the registry.
type Observer interface {
	Created()
	// Refused reports that a sandbox was not made, because there were too many.
	Refused()
	Ended(sb *Sandbox, reason Reason)
	// Revised reports a new revision, including the first one of a sandbox.
	Revised(step protocol.Step)
	// Logged reports an event in a sandbox's log: its type, and its action or "".
	Logged(kind, action string)
	// Dropped counts events that a browser had to drop. Missed counts events that were gone
	// before a follower of the log read them.
	Dropped(count int)
	Missed(count int)
}

// An Attachment is what a program keeps with a sandbox.
type Attachment struct {
	// Value is what [Sandbox.Attached] returns.
	Value any
	// Advisor advises about refusals. It may be nil.
	Advisor Advisor
}

// unobserved is the observer of a registry that was given none.
type unobserved struct{}

func (unobserved) Created()               {}
func (unobserved) Refused()               {}
func (unobserved) Ended(*Sandbox, Reason) {}
func (unobserved) Revised(protocol.Step)  {}
func (unobserved) Logged(string, string)  {}
func (unobserved) Dropped(int)            {}
func (unobserved) Missed(int)             {}
