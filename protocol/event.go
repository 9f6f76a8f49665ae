package protocol

import "time"

// Source says who reported an event.
type Source string

// The sources of events. Only events with SourcePage come from untrusted code.
const (
	SourceServer Source = "server"
	SourceWorker Source = "worker"
	SourceOuter  Source = "outer"
	// SourceBrowser means a report that the browser sends by itself. Code can cause one for
	// any URL, but can neither write nor hide one.
	SourceBrowser Source = "browser"
	SourcePage    Source = "page"
)

// An Event is one of the events below: a [VerdictEvent], [ConsoleEvent],
// [ErrorEvent], [ViolationEvent] or [LifecycleEvent].
type Event interface{ EventHead() Head }

// Head is what every event carries.
type Head struct {
	// ID counts up from 1 within a sandbox without gaps.
	ID int64 `json:"id"`
	// Time is the server's, in UTC.
	Time time.Time `json:"time"`
	// Revision is the sandbox's revision that the event refers to.
	Revision int64 `json:"revision"`
	// Source says whose word the event is.
	Source Source `json:"source"`
	// Execution is the id of the execution in which it happened, "" if it
	// happened in the page.
	Execution string `json:"execution,omitempty"`
	// View is the id of the view in which it happened, "" if that is unknown. Only reports
	// that come through an outer frame have it: neither the service worker nor the browser
	// says which view caused an event. It is the outer frame's word.
	View string `json:"view,omitempty"`
}

// EventHead returns the part that all events have in common.
func (h Head) EventHead() Head { return h }

// Action is the outcome of a decision.
type Action string

// The two outcomes.
const (
	ActionBlock Action = "block"
	ActionAllow Action = "allow"
)

// Verdict is a decision with its grounds.
type Verdict struct {
	// Action is the outcome.
	Action Action `json:"action"`
	// Rule is the ID of the rule that decided. It is empty if none did.
	Rule string `json:"rule,omitempty"`
	// Code is the code of the reason.
	Code string `json:"code"`
	// Reason is for people.
	Reason string `json:"reason"`
	// File is the policy file that decided.
	File string `json:"file,omitempty"`
	// Line is where the rule is in the file.
	Line int `json:"line,omitempty"`
}

// Remedy is what the author of an MCP App can do about a refusal. It is there for a refusal
// of the app's Content-Security-Policy or rules, and in no other sandbox.
type Remedy struct {
	// Change is the smallest addition to _meta.ui.csp that would allow what was refused:
	// one origin in one list, as {"connectDomains": ["https://api.example.com"]}. It is
	// nil if no addition would.
	Change map[string][]string `json:"change,omitempty"`
	// Advice is a sentence that asks for the change, or says why none helps.
	Advice string `json:"advice,omitempty"`
}

// VerdictEvent is one request that the worker saw, told by the worker.
type VerdictEvent struct {
	// Type is the type of the event.
	Type Kind[kindVerdict] `json:"type"`
	Head
	// Method is the HTTP method.
	Method string `json:"method"`
	// URL is the requested URL.
	URL string `json:"url"`
	// Destination is the Fetch destination, "" for fetch() and XMLHttpRequest.
	Destination string `json:"destination"`
	// Virtual is true for a request to the sandbox's own files.
	Virtual bool `json:"virtual"`
	// Status is the HTTP status the page got, 0 for a network error and for an
	// opaque answer.
	Status int `json:"status"`
	// Opaque is true if the page got an answer that nobody here can read (Fetch,
	// "opaque filtered response"): an image, say, without CORS headers.
	Opaque bool `json:"opaque,omitempty"`
	// Directive is the directive of a Content-Security-Policy that governs such requests,
	// if this one was blocked; "" if no rule can allow its type.
	Directive string `json:"directive,omitempty"`
	Verdict
	Remedy
}

// Failed reports whether the request was allowed, but the page got a network error or an HTTP
// error. For an opaque answer it returns false, because nobody here can read the status.
func (e VerdictEvent) Failed() bool {
	return e.Action == ActionAllow && !e.Opaque && (e.Status == 0 || e.Status >= 400)
}

// Missing reports whether the request failed because the sandbox has no such file.
func (e VerdictEvent) Missing() bool {
	return e.Failed() && e.Virtual && e.Code == string(AnswerNotFound)
}

// ConsoleEvent is a console line of the page.
type ConsoleEvent struct {
	// Type is the type of the event.
	Type Kind[kindConsole] `json:"type"`
	Head
	// Level is that of the console method.
	Level Level `json:"level"`
	// Text is the arguments as text, with spaces between them.
	Text string `json:"text"`
	// Place is where the method was called.
	Place Place `json:"place"`
}

// ErrorEvent is an uncaught error of the page.
type ErrorEvent struct {
	// Type is the type of the event.
	Type Kind[kindError] `json:"type"`
	Head
	// Text is the name and the message of the error.
	Text string `json:"text"`
	// Stack is the error's own text of its stack.
	Stack string `json:"stack,omitempty"`
	// Place is where the error was thrown.
	Place Place `json:"place"`
}

// ViolationEvent is a request or action that the browser's own policy refused. Of an
// action the directive is a [Feature].
// The browser tells it, or the page where no report of the browser comes, or the
// outer frame for a navigation out of the view. The verdict is the server's: which
// rule, or the lack of one, made the policy refuse it.
type ViolationEvent struct {
	// Type is the type of the event.
	Type Kind[kindViolation] `json:"type"`
	Head
	// Target is the URL that was refused, or a word such as "eval" or "inline".
	Target string `json:"target"`
	// Directive is the directive that refused it.
	Directive string `json:"directive"`
	// Place is where the page asked for it.
	Place Place `json:"place"`
	Verdict
	Remedy
}

// Step is what happened in a sandbox's life.
type Step string

// The steps of a sandbox's life.
const (
	// StepCreated means that the sandbox exists.
	StepCreated Step = "created"
	// StepFiles means a new revision with other files.
	StepFiles Step = "files"
	// StepPolicy means a new revision with another policy.
	StepPolicy Step = "policy"
	// StepRefused means that a change was rejected. The previous revision stays in force.
	StepRefused Step = "refused"
	// StepLeftOut means that the folder contains something that cannot be served. Everything
	// else is served.
	StepLeftOut Step = "left-out"
	// StepWithoutWorker means that the browser shows a document that did not pass through the
	// worker. Nobody logs what that document requests.
	StepWithoutWorker Step = "without-worker"
	// StepDropped means that events were dropped because there were too many.
	StepDropped Step = "dropped"
	// StepEnding means that the server is shutting down and ends all streams. Its sandboxes
	// exist only in its memory, so a restarted server does not have them.
	StepEnding Step = "ending"
	// StepRemoved means that the sandbox was removed. This is its last event.
	StepRemoved Step = "removed"
)

// LifecycleEvent is a step of the sandbox's life, told by the server.
type LifecycleEvent struct {
	// Type is the type of the event.
	Type Kind[kindLifecycle] `json:"type"`
	Head
	// Step is what happened.
	Step Step `json:"step"`
	// Text says it in words.
	Text string `json:"text"`
	// Diagnostics are what the compiler has found in the files of the revision, if the step
	// has made one.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Files says which files a new revision has changed. It is missing if no file differs, and
	// for the first revision. It lists no file if the revision was made because a module called
	// import.meta.hot.invalidate.
	Files *FileChanges `json:"files,omitempty"`
}

// Severity is how much a [Diagnostic] matters.
type Severity string

// The severities.
const (
	// SeverityError means that the file cannot run. Its module throws the error.
	SeverityError Severity = "error"
	// SeverityWarning means that the file runs, but probably not as meant.
	SeverityWarning Severity = "warning"
)

// A Diagnostic is what the compiler has found in a source file of a sandbox.
type Diagnostic struct {
	// Severity says whether the file can run.
	Severity Severity `json:"severity"`
	// File is the path of the file.
	File string `json:"file"`
	// Line counts from 1.
	Line int `json:"line"`
	// Column counts UTF-16 code units from 1, as browsers do.
	Column int `json:"column"`
	// Text says what is wrong.
	Text string `json:"text"`
	// SourceLine is the text of the line.
	SourceLine string `json:"sourceLine"`
}

// FileChanges says which files differ from the previous revision.
type FileChanges struct {
	// Added are the new files.
	Added PathList `json:"added"`
	// Changed are the files with another content.
	Changed PathList `json:"changed"`
	// Removed are the files that are gone.
	Removed PathList `json:"removed"`
	// Modules says how a document replaces the changed modules in place. It is missing if no
	// module has changed, or if the document has to reload.
	Modules *ModuleChanges `json:"modules,omitempty"`
}

// ModuleChanges says how a document replaces changed modules without a reload.
type ModuleChanges struct {
	// Files are the paths whose changes the updates cover completely.
	Files []string `json:"files"`
	// Updates are what a document does, in this order. It skips modules that it has not loaded.
	Updates []ModuleUpdate `json:"updates"`
}

// ModuleUpdate is one module that a document imports again, and the module that accepts the change
// by import.meta.hot.
type ModuleUpdate struct {
	// Boundary is the path of the module that accepts the change.
	Boundary string `json:"boundary"`
	// Accepted is the path of the module that the document imports again. It can be the same path.
	Accepted string `json:"accepted"`
	// URL is the address of the new version of the module. Each version has its own.
	URL string `json:"url"`
	// Circular says that the boundary imports itself through other modules. If the import then
	// fails, the document reloads.
	Circular bool `json:"circular,omitempty"`
}

// ListedPaths is the largest number of paths in one [PathList].
const ListedPaths = 100

// PathList is a list of files that may be cut.
type PathList struct {
	// Count is the number of files.
	Count int `json:"count"`
	// List has the first ListedPaths of their paths, sorted. It is shorter if the paths are
	// very long.
	List []string `json:"list"`
}
