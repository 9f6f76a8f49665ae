// Package sandbox is what a sandbox is, without HTTP: its files and policy in versions, its
// log, its executions, and the registry that has them all.
//
// A program begins with [NewRegistry], and makes sandboxes by [Registry.Create]. Package server
// does that, and serves them to browsers; most programs import that one alone.
//
// # Life of a sandbox
//
// [Registry.Create] gives it an unguessable id. Each change of its files or its policy is a new
// revision ([Sandbox.Edit], [Sandbox.SetFiles], [Sandbox.SetPolicy]). A [Version] is all that a
// revision number stands for. It is replaced whole, and its files are held in the store for a
// while after (outgoing.go). A change returns when no worker answers from an older version any
// more (leases.go). [Registry.Remove] ends a sandbox, or the registry does when nobody has
// viewed it for long (idle.go) or when another one needs the room (registry.go).
//
// # What happens in it
//
// Each event is in the sandbox's log (eventlog.go). [Sandbox.Events] follows it, and
// [Sandbox.Follow] for streams: one reader (eventreader.go), through a filter (eventfilter.go).
// What browsers, workers, and pages tell comes in by the methods that begin with Record.
// record.go says which rule is behind an event. A refusal that both the browser and the page
// tell is one event (refusals.go).
//
// # Executions
//
// [Sandbox.Execute] takes code in (execute.go), which waits for a view (executions.go). A view
// is an outer frame: [Sandbox.Enter] makes one known, and [View.Take] says what it is asked for.
// What happens in an execution is in its [Outcome] as well (executionseen.go). Code that is
// given capabilities is isolated (isolation.go), as tools of BTCP are (tool.go).
//
// # Errors
//
// Programs tell errors apart by [errors.Is] with [ErrFull], [ErrRemoved], [ErrEnding], and
// [ErrTooManyExecutions], and by [errors.AsType] with [*SpecError], [*StaleError], and
// [*ExecutionError].
package sandbox
