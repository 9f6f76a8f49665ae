package btcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Call is the message that asks for the execution of a tool.
type Call struct {
	// ID is a string or a number. The reply repeats it.
	ID json.RawMessage `json:"id"`
	// Type is "execute".
	Type string `json:"type"`
	// ToolCode is the body of a function with the parameters btcp and args.
	ToolCode string `json:"toolCode"`
	// Args is a JSON value.
	Args json.RawMessage `json:"args,omitempty"`
	// Capabilities are granted to the tool: see [ParseCapabilities].
	Capabilities []string `json:"capabilities,omitempty"`

	// The following fields mean the same as in a manifest.

	// InputSchema is the JSON Schema of Args.
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
	// Sandbox is "worker", the default, or "iframe".
	Sandbox string `json:"sandbox,omitempty"`
	// Timeout is in milliseconds, from 1,000 to 300,000. 0 means 30,000.
	Timeout int64 `json:"timeout,omitempty"`
}

// A Reply is the message with the result of an execution.
type Reply struct {
	// ID is the call's.
	ID json.RawMessage `json:"id"`
	// Type is "result" or "error".
	Type string `json:"type"`
	// Result is set if Type is "result".
	Result json.RawMessage `json:"result,omitempty"`
	// Error is set if Type is "error".
	Error *ToolError `json:"error,omitempty"`
}

// A ToolError says why there is no result.
type ToolError struct {
	// Code is one of the specification's.
	Code Code `json:"code"`
	// Message is for people.
	Message string `json:"message"`
	// Stack is set if the tool threw an error.
	Stack string `json:"stack,omitempty"`
}

// A Code is an error code of the specification.
type Code string

// The error codes.
const (
	// ExecutionError: the tool threw, or its result cannot be written as JSON.
	ExecutionError Code = "EXECUTION_ERROR"
	// Timeout: the tool exceeded its timeout and was stopped.
	Timeout Code = "TIMEOUT"
	// OutputTooLarge: the result is larger than 1 MiB.
	OutputTooLarge Code = "OUTPUT_TOO_LARGE"
	// InvalidParams: the message or its arguments were rejected. Nothing ran.
	InvalidParams Code = "INVALID_PARAMS"
	// CapabilityDenied: a capability cannot be granted. Nothing ran.
	CapabilityDenied Code = "CAPABILITY_DENIED"
	// SandboxError: no sandbox could run the tool, or the sandbox was removed.
	SandboxError Code = "SANDBOX_ERROR"
)

// Codes lists all codes.
var Codes = []Code{ExecutionError, Timeout, OutputTooLarge, InvalidParams, CapabilityDenied, SandboxError}

// Error returns the code and the message.
func (e *ToolError) Error() string { return string(e.Code) + ": " + e.Message }

func invalid(format string, args ...any) *ToolError {
	return &ToolError{Code: InvalidParams, Message: fmt.Sprintf(format, args...)}
}

// Where a tool runs, as in a manifest.
const (
	Worker = "worker"
	Iframe = "iframe"
)

const defaultTimeout = 30 * time.Second

// Check returns an error if the call must not run: it is malformed, it has a capability
// that cannot be granted, or its arguments do not match their schema.
func (c *Call) Check() *ToolError {
	switch {
	case c.Type != "execute":
		return invalid("The type is %.40q. Send \"execute\".", c.Type)
	case !isID(c.ID):
		return invalid("The id is neither a text nor a number.")
	case strings.TrimSpace(c.ToolCode) == "":
		return invalid("The toolCode is empty. Send the body of a function.")
	case !slices.Contains([]string{"", Worker, Iframe}, c.Sandbox):
		return invalid("The sandbox is %.40q. Use %q or %q.", c.Sandbox, Worker, Iframe)
	case c.Timeout != 0 && (c.Timeout < 1_000 || c.Timeout > 300_000):
		return invalid("The timeout is %d ms. Use 1000 to 300000.", c.Timeout)
	}
	if _, err := ParseCapabilities(c.Capabilities); err != nil {
		return &ToolError{Code: CapabilityDenied, Message: fmt.Sprintf("The capability %v.", err)}
	}
	return checkArgs(c.InputSchema, c.Args)
}

func isID(id json.RawMessage) bool {
	id = bytes.TrimSpace(id)
	return len(id) > 0 && len(id) <= 1_000 && json.Valid(id) && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// Duration returns the tool's timeout.
func (c *Call) Duration() time.Duration {
	if c.Timeout == 0 {
		return defaultTimeout
	}
	return time.Duration(c.Timeout) * time.Millisecond
}

// Module returns an ES module whose default export runs the tool. A tool is the body of
// a function that the browser compiles, so the policy has to list eval under scripts.
func (c *Call) Module() string {
	// Go's JSON escapes all line terminators and HTML, so the text is a valid
	// JavaScript literal.
	body, err := json.Marshal(c.ToolCode)
	if err != nil {
		panic("btcp: a string cannot be written as JSON: " + err.Error())
	}
	return "export default (args, btcp) => new Function('btcp', 'args', " + string(body) + ")(btcp, args)\n"
}

// Answer returns the reply with a result, which is a JSON value.
func (c *Call) Answer(result json.RawMessage) Reply {
	return Reply{ID: c.replyID(), Type: "result", Result: result}
}

// Fail returns the reply with an error.
func (c *Call) Fail(err *ToolError) Reply {
	return Reply{ID: c.replyID(), Type: "error", Error: err}
}

func (c *Call) replyID() json.RawMessage {
	if !isID(c.ID) {
		return json.RawMessage("null")
	}
	return c.ID
}
