package protocol

import "encoding/json"

// Run asks for an execution. The server sends it to an outer frame, and that to
// the inner frame's page that runs them, or to the document of an isolated one, with a
// MessagePort on which the execution reports.
type Run struct {
	Kind Kind[kindRun] `json:"kind"`
	// Execution is the id of the execution.
	Execution string `json:"execution"`
	// Revision is the sandbox's newest. A page that was loaded in an earlier one
	// runs nothing new.
	Revision int64 `json:"revision"`
	// Timeout is how long the execution may still take, in milliseconds. The
	// server ends it then; the outer frame does if it has lost the server.
	Timeout int64 `json:"timeout"`
	// Isolated: the execution has a frame of its own, without an origin.
	Isolated bool `json:"isolated"`
	// Call is the name that an outer frame gave to the call of a tool, or "". Methods are
	// what the code may ask of the page above that frame.
	Call    string   `json:"call"`
	Methods []string `json:"methods"`
}

// Ask is what isolated code asks of the page above the outer frame, on its port. Ask is
// a number that the answer has, too.
type Ask struct {
	Kind   Kind[kindAsk]   `json:"kind"`
	Ask    int64           `json:"ask"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params" ts:"unknown"`
}

// Answered is the answer to an Ask: a result or, if Error is not "", none.
type Answered struct {
	Kind   Kind[kindAnswered] `json:"kind"`
	Ask    int64              `json:"ask"`
	Result json.RawMessage    `json:"result" ts:"unknown"`
	Error  string             `json:"error"`
}

// End asks for the end of an execution, whatever it does. It is sent on the way
// of Run, and of one that has ended it means nothing.
type End struct {
	Kind      Kind[kindEnd] `json:"kind"`
	Execution string        `json:"execution"`
}

// Ended tells the outer frame that nothing of an execution runs any longer:
// because it asked for that, or because the browser could not load it.
type Ended struct {
	Kind      Kind[kindEnded] `json:"kind"`
	Execution string          `json:"execution"`
}

// Replied brings the outer frame the answer to a call of a tool, on the way of Run. Call is
// the name that the outer frame gave it; no other outer frame knows that.
type Replied struct {
	Kind Kind[kindReplied] `json:"kind"`
	Call string            `json:"call"`
	// Reply is the protocol's own message.
	Reply json.RawMessage `json:"reply" ts:"unknown"`
}

// Begun tells the outer frame that the document of an isolated execution listens. The
// code is in it and has not been run yet.
type Begun struct {
	Kind Kind[kindBegun] `json:"kind"`
}

// FailureCode is the reason why an execution has no result.
type FailureCode string

// The reason codes of an execution without a result.
const (
	// FailureThrew: the code could not be loaded, threw or rejected.
	FailureThrew FailureCode = "threw"
	// FailureUnserializable: the result holds what cannot be told, at the path
	// that the message names.
	FailureUnserializable FailureCode = "unserializable"
	// FailureResultTooLarge: the result is larger than the server takes.
	FailureResultTooLarge FailureCode = "result-too-large"
	// FailureTimeout: it took too long, and was ended.
	FailureTimeout FailureCode = "timeout"
	// FailureNoView: no page showed the sandbox, so there was no browser to run it.
	FailureNoView FailureCode = "no-view"
	// FailureViewFailed: a page shows the sandbox, and nothing can run in it.
	FailureViewFailed FailureCode = "view-failed"
	// FailureViewClosed: the page that ran it was closed or loaded anew.
	FailureViewClosed FailureCode = "view-closed"
	// FailureFlood: it reported more than it can have to report, and was ended.
	FailureFlood FailureCode = "message-flood"
	// FailureCrashed: the browser's process in which it ran has ended.
	FailureCrashed FailureCode = "crashed"
	// FailureRemoved: the sandbox was removed.
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

// Finish is how an execution ended: with a result, or with a failure.
type Finish struct {
	Kind Kind[kindFinish] `json:"kind"`
	// Result is a [Result] as JSON text, "" if there is a failure.
	Result  string   `json:"result"`
	Failure *Failure `json:"failure,omitempty"`
	// Dropped counts the reports that were left out.
	Dropped int `json:"dropped"`
}

// Result is a value: as JSON, and what JSON has no word for. Types holds the
// type of each value that is not what its JSON says, by JSON Pointer (RFC 6901).
type Result struct {
	Value json.RawMessage   `json:"value" ts:"unknown"`
	Types map[string]string `json:"types"`
}

// ExecutionReports is what the outer frame tells the server of one execution.
type ExecutionReports struct {
	Execution string `json:"execution"`
	Dropped   int    `json:"dropped"`
	// Page is what the code reported, members of the PageReport union.
	Page []json.RawMessage `json:"page" ts:"readonly PageReport[]"`
	// Finish is in the last of them.
	Finish *Finish `json:"finish,omitempty"`
}
