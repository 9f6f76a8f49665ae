package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// CallTool runs a tool by a message of BTCP, in a view of the sandbox. However it ends,
// there is a reply; the error is that of ctx alone. The policy bounds what the message's
// capabilities open, and has to list eval under scripts.
func (sb *Sandbox) CallTool(ctx context.Context, call btcp.Call) (btcp.Reply, error) {
	if err := call.Check(); err != nil {
		return call.Fail(err), nil
	}
	return sb.runTool(ctx, call, "")
}

// runTool runs a call that is checked. The name is the one of isolation.
func (sb *Sandbox) runTool(ctx context.Context, call btcp.Call, name string) (btcp.Reply, error) {
	v, _ := sb.now()
	if !slices.Contains(v.fire.Policy().Scripts, rules.ScriptEval) {
		return call.Fail(&btcp.ToolError{Code: btcp.SandboxError, Message: "The sandbox's policy does not let the browser compile a tool. Add eval to its scripts."}), nil
	}
	e := Execution{
		Code: call.Module(), Args: call.Args, Timeout: min(call.Duration(), sb.server.config.Limits.ExecutionTime),
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

// toolError is for an execution that never began.
func toolError(err error) *btcp.ToolError {
	refusal, found := errors.AsType[*answerError](err)
	if !found {
		return &btcp.ToolError{Code: btcp.SandboxError, Message: err.Error()}
	}
	code := btcp.InvalidParams
	switch {
	case refusal.code == codeCapability:
		code = btcp.CapabilityDenied
	case refusal.status == http.StatusTooManyRequests:
		code = btcp.SandboxError
	}
	return &btcp.ToolError{Code: code, Message: refusal.text}
}

// toolCodes has the code of each failure whose cause is the tool. Any other is the
// sandbox's.
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

// postCall answers every message of BTCP with 200: its own error is in the reply.
func (s *Server) postCall(c echo.Context) error {
	var call btcp.Call
	_, free, err := s.uploadJSON(c, &call)
	if err != nil {
		return err
	}
	defer free()
	reply, err := sandboxOf(c.Request()).CallTool(c.Request().Context(), call)
	if err != nil {
		return nil // nobody hears an answer
	}
	return c.JSON(http.StatusOK, reply)
}
