package server

import (
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// These are names of package sandbox, so that a program that embeds the server needs no other
// import.
type (
	// Spec describes a new sandbox.
	Spec = sandbox.Spec
	// SpecError says which field of a [Spec] cannot be taken, and why.
	SpecError = sandbox.SpecError
	// Edit is a change of a sandbox, which is made whole or not at all.
	Edit = sandbox.Edit
	// Edited is what became of an [Edit].
	Edited = sandbox.Edited
	// StaleError says that a sandbox has another revision than was expected.
	StaleError = sandbox.StaleError
	// Page is a part of the list of sandboxes.
	Page = sandbox.Page
	// EventFilter picks events of a sandbox's log.
	EventFilter = sandbox.EventFilter
	// Execution is code to run once in a sandbox.
	Execution = sandbox.Execution
	// ExecutionRequest is an [Execution] as a client writes it in JSON.
	ExecutionRequest = sandbox.ExecutionRequest
	// ExecutionContext is where code runs.
	ExecutionContext = sandbox.ExecutionContext
	// ExecutionError says why an execution was rejected.
	ExecutionError = sandbox.ExecutionError
	// CapabilityList is a list of names.
	CapabilityList = sandbox.CapabilityList
	// Outcome is how an execution ended, and what happened meanwhile.
	Outcome = sandbox.Outcome
	// SandboxLimits bound what hostile code can take of the machine; see [Limits].
	SandboxLimits = sandbox.Limits
	// Rate is what a token bucket allows.
	Rate = sandbox.Rate
)

// The contexts in which code runs.
const (
	ContextWorker = sandbox.ContextWorker
	ContextFrame  = sandbox.ContextFrame
)

// Errors of package sandbox.
var (
	ErrFull              = sandbox.ErrFull
	ErrRemoved           = sandbox.ErrRemoved
	ErrEnding            = sandbox.ErrEnding
	ErrTooManyExecutions = sandbox.ErrTooManyExecutions
)

// NewID returns an id for [Spec.ID].
func NewID() string { return sandbox.NewID() }

// IsID reports whether s has the form of an id.
func IsID(s string) bool { return sandbox.IsID(s) }

// Names that are the server's own.
type (
	version = sandbox.Version
	entry   = sandbox.Entry
	running = sandbox.Running
)

const (
	idLength      = sandbox.IDLength
	endedReplaced = sandbox.EndedReplaced
	endedRoom     = sandbox.EndedRoom
)

// describeFiles says in one line what a change of files did.
func describeFiles(d vfs.Diff) string { return sandbox.Describe(d) }
