package sandbox

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// CallTool runs a tool as a BTCP message asks, in a view of the sandbox. There is a reply
// however the tool ends. The error is non-nil only if ctx is done. The sandbox's policy limits
// what the message's capabilities open, and must list eval under scripts.
func (sb *Sandbox) CallTool(ctx context.Context, call btcp.Call) (btcp.Reply, error) {
	if err := call.Check(); err != nil {
		return call.Fail(err), nil
	}
	return sb.RunTool(ctx, call, "")
}

// RunTool does what CallTool does, for a call that has been checked. The page above an outer
// frame knows the call by this name and answers the code's requests. Without a name nobody
// answers them.
func (sb *Sandbox) RunTool(ctx context.Context, call btcp.Call, name string) (btcp.Reply, error) {
	v, _ := sb.Version()
	if !slices.Contains(v.Firewall.Policy().Scripts, rules.ScriptEval) {
		return call.Fail(&btcp.ToolError{Code: btcp.SandboxError, Message: "The sandbox's policy does not let the browser compile a tool. Add eval to its scripts."}), nil
	}
	e := Execution{
		Code: call.Module(), Args: call.Args, Timeout: min(call.Duration(), sb.registry.config.Limits.ExecutionTime),
		Context: ContextWorker, Capabilities: append([]string{}, call.Capabilities...), call: name,
	}
	if call.Sandbox == btcp.Iframe {
		e.Context = ContextFrame
	}
	outcome, err := sb.Execute(ctx, e)
	if ctx.Err() != nil {
		return btcp.Reply{}, context.Cause(ctx)
	}
	if err != nil {
		return call.Fail(toolError(err)), nil
	}
	if outcome.Error != nil {
		return call.Fail(toolFailure(outcome.Error)), nil
	}
	return call.Answer(outcome.Result), nil
}

// toolError converts the error of an execution that never began.
func toolError(err error) *btcp.ToolError {
	rejected, found := errors.AsType[*ExecutionError](err)
	if !found {
		return &btcp.ToolError{Code: btcp.SandboxError, Message: err.Error()}
	}
	code := btcp.InvalidParams
	switch rejected.Code {
	case CodeBadCapability:
		code = btcp.CapabilityDenied
	case CodeTooMany:
		code = btcp.SandboxError
	}
	return &btcp.ToolError{Code: code, Message: rejected.Reason}
}

// toolCodes maps each failure that the tool caused to its code. The sandbox caused all other
// failures.
var toolCodes = map[protocol.FailureCode]btcp.Code{
	protocol.FailureThrew:          btcp.ExecutionError,
	protocol.FailureUnserializable: btcp.ExecutionError,
	protocol.FailureFlood:          btcp.ExecutionError,
	protocol.FailureResultTooLarge: btcp.OutputTooLarge,
	protocol.FailureTimeout:        btcp.Timeout,
}

func toolFailure(f *protocol.Failure) *btcp.ToolError {
	return &btcp.ToolError{Code: cmp.Or(toolCodes[f.Code], btcp.SandboxError), Message: f.Message, Stack: f.Stack}
}
