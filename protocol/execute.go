package protocol

import "encoding/json"

// Run asks for an execution. The server sends it to an outer frame. The outer frame passes it,
// with a MessagePort for the execution's reports, to the inner frame's page that runs
// executions, or to the document of an isolated execution.
type Run struct {
	Kind Kind[kindRun] `json:"kind"`
	// Execution is the execution's address: a random name that the server made for it. It is
	// not the execution's id, which a client of the API may have chosen. All messages between
	// the server and the browser name an execution by its address.
	Execution string `json:"execution"`
	// Revision is the sandbox's newest revision. A page that was loaded in an earlier one runs
	// no new execution.
	Revision int64 `json:"revision"`
	// Timeout is how long the execution may still take, in milliseconds. Then the server ends
	// it. If the outer frame has lost the server, the outer frame ends it.
	Timeout int64 `json:"timeout"`
	// Isolated means that the execution has its own frame, without an origin.
	Isolated bool `json:"isolated"`
	// Call is the name that an outer frame gave to the call of a tool, or "". Methods lists
	// what the code may request from the page above that frame.
	Call    string   `json:"call"`
	Methods []string `json:"methods"`
}

// Ask is a request from isolated code to the page above the outer frame, on the code's port.
// The field Ask is a number that the answer repeats.
type Ask struct {
	Kind   Kind[kindAsk]   `json:"kind"`
	Ask    int64           `json:"ask"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params" ts:"unknown"`
}

// Answered is the answer to an Ask. It has a result, unless Error is not "".
type Answered struct {
	Kind   Kind[kindAnswered] `json:"kind"`
	Ask    int64              `json:"ask"`
	Result json.RawMessage    `json:"result" ts:"unknown"`
	Error  string             `json:"error"`
}

// End asks for the end of an execution, whatever state it is in. It is sent the same way as
// Run. For an execution that has already ended it has no effect.
type End struct {
	Kind      Kind[kindEnd] `json:"kind"`
	Execution string        `json:"execution"`
}

// Ended tells the outer frame that no part of an execution runs any longer. Either the outer
// frame asked for the end, or the browser could not load the execution.
type Ended struct {
	Kind      Kind[kindEnded] `json:"kind"`
	Execution string          `json:"execution"`
}

// Replied is the answer to a call of a tool. The outer frame receives it the same way as Run.
// Call is the name that the outer frame gave to the call. No other outer frame knows that
// name.
type Replied struct {
	Kind Kind[kindReplied] `json:"kind"`
	Call string            `json:"call"`
	// Reply is the message of the tools' own protocol.
	Reply json.RawMessage `json:"reply" ts:"unknown"`
}

// Begun tells the outer frame that the document of an isolated execution listens. The document
// contains the code, which has not run yet.
type Begun struct {
	Kind Kind[kindBegun] `json:"kind"`
}

// FailureCode says why an execution has no result.
type FailureCode string

// The reason codes of an execution without a result.
const (
	// FailureThrew means that the code could not be loaded, threw, or rejected.
	FailureThrew FailureCode = "threw"
	// FailureUnserializable means that the result contains a value that cannot be serialized.
	// The message names its path.
	FailureUnserializable FailureCode = "unserializable"
	// FailureResultTooLarge means that the result is larger than the server accepts.
	FailureResultTooLarge FailureCode = "result-too-large"
	// FailureTimeout means that the execution took too long and was ended.
	FailureTimeout FailureCode = "timeout"
	// FailureNoView means that no page showed the sandbox, so there was no browser to run the
	// code.
	FailureNoView FailureCode = "no-view"
	// FailureViewFailed means that a page shows the sandbox, but nothing can run in it.
	FailureViewFailed FailureCode = "view-failed"
	// FailureViewClosed means that the page that ran the code was closed or reloaded.
	FailureViewClosed FailureCode = "view-closed"
	// FailureFlood means that the execution sent more reports than allowed, and was ended.
	FailureFlood FailureCode = "message-flood"
	// FailureCrashed means that the browser process that ran the execution has ended.
	FailureCrashed FailureCode = "crashed"
	// FailureRemoved means that the sandbox was removed.
	FailureRemoved FailureCode = "removed"
)

// Failure says why there is no result.
type Failure struct {
	// Code says how the execution ended.
	Code FailureCode `json:"code"`
	// Name is that of the Error that was thrown. It is "" if the value is no Error.
	Name string `json:"name"`
	// Message is that of the Error, or the thrown value as text.
	Message string `json:"message"`
	// Stack is that of the Error. It is "" if the value is no Error.
	Stack string `json:"stack"`
}

// Outcome is how an execution ended: with a result, or with a failure.
type Outcome struct {
	Kind Kind[kindOutcome] `json:"kind"`
	// Result is a [Result] as JSON text, "" if there is a failure.
	Result  string   `json:"result"`
	Failure *Failure `json:"failure,omitempty"`
	// Dropped is the number of reports that were left out.
	Dropped int `json:"dropped"`
}

// Result is a value as JSON. Types has the type of each value that JSON cannot express, by
// JSON Pointer (RFC 6901).
type Result struct {
	Value json.RawMessage   `json:"value" ts:"unknown"`
	Types map[string]string `json:"types"`
}

// ExecutionReports is the outer frame's report to the server about one execution.
type ExecutionReports struct {
	Execution string `json:"execution"`
	// View is the id of the outer frame's view.
	View    string `json:"view"`
	Dropped int    `json:"dropped"`
	// Page is what the code reported: members of the PageReport union.
	Page []json.RawMessage `json:"page" ts:"readonly PageReport[]"`
	// Outcome is set only in the last ExecutionReports of an execution.
	Outcome *Outcome `json:"outcome,omitempty"`
}
