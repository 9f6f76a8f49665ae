// Package sandbox holds sandboxes, without HTTP: their files and policies in versions, their
// logs, their executions, and the registry of all sandboxes.
//
// A program calls [NewRegistry] first, and makes sandboxes with [Registry.Create]. Package
// server does both, and serves the sandboxes to browsers. Most programs import only package
// server.
//
// # Life of a sandbox
//
// [Registry.Create] gives a sandbox an unguessable id. Each change of its files or its policy
// makes a new revision ([Sandbox.Edit], [Sandbox.SetFiles], [Sandbox.SetPolicy]). A [Version]
// holds everything that belongs to one revision. A change replaces the whole version, and the
// store keeps the old files for a while (outgoing.go). A change returns when no worker answers
// from an older version (leases.go).
//
// A sandbox ends when a program calls [Registry.Remove]. The registry itself ends a sandbox
// that nobody has viewed for a long time (idle.go), or to make room for another (registry.go).
//
// # What happens in a sandbox
//
// A sandbox's log holds its events (eventlog.go). [Sandbox.Events] follows the log in Go, and
// [Sandbox.Follow] does it for streams. Both use one reader (eventreader.go) with a filter
// (eventfilter.go). Methods that begin with Record take the reports of browsers, workers, and
// pages. record.go finds the rule that caused an event. A refusal that both the browser and
// the page report becomes one event (refusals.go).
//
// # Executions
//
// [Sandbox.Execute] accepts code (execute.go), which waits for a view (executions.go). A view
// is an outer frame: [Sandbox.Enter] registers it, and [View.Take] returns the messages for
// it. The events of an execution are in its [Outcome] too (executionseen.go). Code that is
// given capabilities runs isolated (isolation.go). So do tools of BTCP (tool.go).
//
// # Errors
//
// [errors.Is] recognizes [ErrFull], [ErrRemoved], [ErrEnding], and [ErrTooManyExecutions].
// [errors.AsType] finds a [*SpecError], a [*StaleError], or an [*ExecutionError].
package sandbox
