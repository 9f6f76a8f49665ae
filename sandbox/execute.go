package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// An Execution is code to run once in a sandbox. See docs/execute.md.
type Execution struct {
	// ID names the execution in its events and in its outcome. It has 1 to 64 characters from
	// A-Z, a-z, 0-9, - and _. "" stands for a random id. No other execution of the sandbox that
	// waits or runs may have the same id. The id is not a secret, and no address contains it.
	ID string
	// Code is an ES module. It imports the sandbox's files by their absolute paths. If its
	// default export is a function, the function is called, and its return value is the
	// result. Otherwise the export itself is the result. A promise is awaited.
	Code string
	// Args is the function's argument as a JSON value, or nil for none.
	Args json.RawMessage
	// Timeout is how long the answer may take. It includes the wait for a view and for earlier
	// executions. Default 10 s, at most [Limits.ExecutionTime].
	Timeout time.Duration
	// Context is where the code runs. "" stands for a worker. Code in a frame is always
	// isolated.
	Context ExecutionContext
	// Capabilities isolate the code, unless they are nil. The code then runs in a fresh frame
	// without an origin, and has no files and no storage. It reaches the part of the sandbox's
	// policy that these capabilities open. See [btcp.ParseCapabilities].
	Capabilities []string
	// RequireView ends the execution at once, with [protocol.FailureNoView], if no page shows
	// the sandbox now. By default the execution waits for one.
	RequireView bool
	// Watch, if set, is called with each event of the execution, after the event has been
	// added to the sandbox's log. The events are a [protocol.ConsoleEvent],
	// [protocol.ErrorEvent], [protocol.VerdictEvent], or [protocol.ViolationEvent]. Several
	// goroutines may call Watch at once. It must not block.
	Watch func(event any)

	call string // see Isolation
}

// An ExecutionRequest is an [Execution] as a client writes it in JSON.
type ExecutionRequest struct {
	// ID names the execution in its events and in its outcome. It has 1 to 64 characters from
	// A-Z, a-z, 0-9, - and _. Default: a random id.
	ID *string `json:"id,omitempty"`
	// Code is an ES module. If its default export is a function, that is called with args.
	// Otherwise the export is the result.
	Code string `json:"code"`
	// Args is any JSON value. Default: no argument.
	Args json.RawMessage `json:"args,omitempty"`
	// TimeoutMs is how long the answer may take, in milliseconds. Default: 10 s.
	TimeoutMs int64 `json:"timeoutMs,omitempty"`
	// RequireView ends the execution at once if no page shows the sandbox.
	RequireView bool `json:"requireView,omitempty"`
	// Context is where the code runs. Default: a worker.
	Context ExecutionContext `json:"context,omitempty"`
	// Capabilities isolate the code, even if the list is empty. The code then reaches what
	// they name, within the sandbox's policy.
	Capabilities CapabilityList `json:"capabilities,omitzero"`
}

// A CapabilityList is a list of names. JSON null is an error: it reads like an empty list,
// and a list that is missing leaves the code its sandbox's origin.
type CapabilityList []string

// UnmarshalJSON decodes a list of strings.
func (l *CapabilityList) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return errors.New("capabilities is null; write [] for none")
	}
	return json.Unmarshal(text, (*[]string)(l))
}

// An ExecutionContext is where code runs.
type ExecutionContext string

// The contexts.
const (
	// ContextWorker is a worker. The browser can end one whatever it does.
	ContextWorker ExecutionContext = "worker"
	// ContextFrame is a document of its own.
	ContextFrame ExecutionContext = "frame"
)

// Execution returns the execution that is requested. It replaces a timeout that does not fit
// into a [time.Duration] by the longest one, which [Sandbox.Execute] rejects.
func (r ExecutionRequest) Execution() Execution {
	const longest = math.MaxInt64 / int64(time.Millisecond)
	e := Execution{
		Context: r.Context, Capabilities: r.Capabilities,
		Code: r.Code, Args: r.Args, RequireView: r.RequireView,
		Timeout: time.Duration(max(-longest, min(r.TimeoutMs, longest))) * time.Millisecond,
	}
	if r.ID != nil {
		e.ID = *r.ID
	}
	return e
}

// An Outcome is how an execution ended, and what happened meanwhile. Result and
// error, console and errors are the word of untrusted code.
type Outcome struct {
	// ID is that of the execution. Its events in the sandbox's log have it as execution.
	ID string `json:"id"`
	// Result is the value that the code gave, unless there is an error.
	Result json.RawMessage `json:"result,omitempty"`
	// Types has the type of each value in the result that JSON cannot express, by JSON
	// Pointer (RFC 6901).
	Types map[string]string `json:"types,omitempty"`
	// Error says why there is no result.
	Error *protocol.Failure `json:"error,omitempty"`
	// Console is what the code wrote.
	Console []protocol.ConsoleEvent `json:"console"`
	// Errors are the uncaught errors of the code.
	Errors []protocol.ErrorEvent `json:"errors"`
	// Verdicts are the requests of the code that the service worker saw.
	Verdicts []protocol.VerdictEvent `json:"verdicts"`
	// Violations are the requests of the code that the browser itself refused.
	Violations []protocol.ViolationEvent `json:"violations"`
	// Dropped counts what was left out of these four lists, because it was too much.
	Dropped int `json:"dropped"`
	// Truncated is true if something was left out.
	Truncated bool `json:"truncated"`
}

// ErrTooManyExecutions says that as many executions of the sandbox wait or run as
// [Limits.Executions] allows.
var ErrTooManyExecutions = errors.New("too many executions of the sandbox wait or run")

// An ExecutionError says why an execution was rejected. It never began.
type ExecutionError struct {
	Code ExecutionCode
	// Reason is for people. It says in one or two sentences what is wrong and what to do.
	Reason string
	// Err is [ErrTooManyExecutions] or nil.
	Err error
}

// An ExecutionCode is a stable word for a reason.
type ExecutionCode string

// The codes, which are also those of the HTTP API.
const (
	CodeBadID         ExecutionCode = "bad-field"
	CodeExists        ExecutionCode = "execution-exists"
	CodeNoCode        ExecutionCode = "no-code"
	CodeTooLarge      ExecutionCode = "code-too-large"
	CodeArgsTooLarge  ExecutionCode = "args-too-large"
	CodeBadArgs       ExecutionCode = "bad-args"
	CodeBadTimeout    ExecutionCode = "bad-timeout"
	CodeBadContext    ExecutionCode = "bad-context"
	CodeBadCapability ExecutionCode = "bad-capability"
	CodeTooMany       ExecutionCode = "too-many-executions"
)

func (e *ExecutionError) Error() string { return e.Reason }

func (e *ExecutionError) Unwrap() error { return e.Err }

func reject(code ExecutionCode, format string, args ...any) error {
	return &ExecutionError{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// defaultTimeout is the timeout of an execution that states none.
const defaultTimeout = 10 * time.Second

// Execute runs code in a view of the sandbox and waits for its end. If no page shows the
// sandbox, Execute waits for one, unless RequireView is set. By default each execution has a
// worker of its own.
//
// There is an outcome however the code ends, even if it was stopped at its timeout. An error
// says that the execution was rejected ([*ExecutionError], which may wrap
// [ErrTooManyExecutions]), that the sandbox has been removed ([ErrRemoved]), or that ctx is
// done.
func (sb *Sandbox) Execute(ctx context.Context, e Execution) (*Outcome, error) {
	limits := &sb.registry.config.Limits
	if err := e.check(limits); err != nil {
		return nil, err
	}
	isolation, err := e.isolation()
	if err != nil {
		return nil, err
	}
	if sb.alive.Err() != nil {
		return nil, fmt.Errorf("sandbox %s: %w", sb.id, ErrRemoved)
	}
	x, err := sb.executions.admit(sb, e, isolation)
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(e.Timeout)
	defer timer.Stop()
	select {
	case <-x.over:
	case <-timer.C:
		x.finish(x.late())
	case <-sb.alive.Done():
		x.finish(failed(protocol.FailureRemoved, "The sandbox was removed."))
	case <-ctx.Done():
		x.finish(failed(protocol.FailureTimeout, "Nobody waits for it any longer."))
		return nil, fmt.Errorf("sandbox: the execution was given up: %w", context.Cause(ctx))
	}
	return x.outcome(), nil
}

func (e *Execution) check(limits *Limits) error {
	if e.Timeout == 0 {
		e.Timeout = min(defaultTimeout, limits.ExecutionTime)
	}
	switch {
	case e.ID != "" && !isExecutionID(e.ID):
		return reject(CodeBadID, "%.70q is not an execution ID. Use 1 to %d characters from A-Z, a-z, 0-9, - and _, or leave the ID out.", e.ID, maxExecutionID)
	case e.Code == "":
		return reject(CodeNoCode, "There is no code to run. Give an ES module, such as: export default (args) => args.")
	case int64(len(e.Code)) > limits.ExecutionBytes:
		return reject(CodeTooLarge, "The code has %d bytes; %d are allowed. Put what it needs into the sandbox's files and import that.", len(e.Code), limits.ExecutionBytes)
	case int64(len(e.Args)) > limits.ExecutionBytes:
		return reject(CodeArgsTooLarge, "The arguments have %d bytes; %d are allowed. Put what they hold into a file of the sandbox and have the code fetch that.", len(e.Args), limits.ExecutionBytes)
	case len(e.Args) > 0 && !json.Valid(e.Args):
		return reject(CodeBadArgs, "The arguments are not one JSON value.")
	case e.Timeout < 0 || e.Timeout > limits.ExecutionTime:
		return reject(CodeBadTimeout, "The timeout is %s; it must be positive and at most %s.", e.Timeout, limits.ExecutionTime)
	}
	return nil
}

// An outcome says how an execution ended: with a result or with a failure.
type outcome struct {
	result  protocol.Result
	failure *protocol.Failure
}

func failed(code protocol.FailureCode, format string, args ...any) outcome {
	return outcome{failure: &protocol.Failure{Code: code, Name: "Error", Message: fmt.Sprintf(format, args...)}}
}

func outcomeOf(f *protocol.Outcome, limit int) (end outcome) {
	switch {
	case f.Failure != nil:
		return outcome{failure: &protocol.Failure{
			Code: f.Failure.Code, Name: clip(f.Failure.Name), Message: clip(f.Failure.Message), Stack: clip(f.Failure.Stack),
		}}
	case len(f.Result) > limit:
		return failed(protocol.FailureResultTooLarge, "The result is larger than %d bytes of JSON.", limit)
	}
	if err := json.Unmarshal([]byte(f.Result), &end.result); err != nil || end.result.Value == nil {
		return failed(protocol.FailureUnserializable, "The page's answer is no result.")
	}
	return end
}
