package server

import (
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// These types come from package sandbox. With them, a program that embeds the server needs no
// other import.
type (
	// Spec describes a new sandbox.
	Spec = sandbox.Spec
	// Filling is what [sandbox.Sandbox.Fill] gives a warm sandbox.
	Filling = sandbox.Filling
	// SpecError says which field of a [Spec] is invalid, and why.
	SpecError = sandbox.SpecError
	// Edit is an atomic change of a sandbox.
	Edit = sandbox.Edit
	// Update changes the name, the entry, the time to live, or labels of a sandbox.
	Update = sandbox.Update
	// Label selects sandboxes that have it.
	Label = sandbox.Label
	// Edited is the result of an [Edit].
	Edited = sandbox.Edited
	// StaleError says that a sandbox does not have the expected revision.
	StaleError = sandbox.StaleError
	// Page selects a part of the list of sandboxes.
	Page = sandbox.Page
	// EventFilter selects events of a sandbox's log.
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
	// SandboxLimits bound how much of the machine hostile code can use. See [Limits].
	SandboxLimits = sandbox.Limits
	// Rate is the size of a token bucket.
	Rate = sandbox.Rate
)

// These types are bodies of the HTTP API, from package api.
type (
	// NewSandbox is the body of createSandbox.
	NewSandbox = api.NewSandbox
	// NewWarm is the body of warmSandboxes.
	NewWarm = api.NewWarm
	// SandboxPatch is the body of patchSandbox.
	SandboxPatch = api.SandboxPatch
	// FilesPatch is the body of patchFiles.
	FilesPatch = api.FilesPatch
	// FileContent is the content of a file in a body.
	FileContent = api.FileContent
	// AppSpec describes an MCP App that is handed in before any page shows it.
	AppSpec = api.AppSpec
	// CreatedApp is the answer of createApp.
	CreatedApp = api.CreatedApp
	// Question is the body of explain.
	Question = api.Question
	// Info describes a sandbox.
	Info = api.Info
	// SandboxList is a page of the list of sandboxes.
	SandboxList = api.SandboxList
	// FileInfo describes a file.
	FileInfo = api.FileInfo
	// FileList lists a sandbox's files.
	FileList = api.FileList
	// Revised is the answer to a change.
	Revised = api.Revised
	// LogPage is a part of a sandbox's log.
	LogPage = api.LogPage
	// Problem is the answer to a refused request.
	Problem = api.Problem
	// Mistake is one of a policy.
	Mistake = api.Mistake
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

// Names for the server's own code.
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

// describeFiles says in one line which files a change added, changed, and removed.
func describeFiles(d vfs.Diff) string { return sandbox.Describe(d) }
