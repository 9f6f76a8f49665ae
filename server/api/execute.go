package api

import (
	"errors"
	"net/http"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/sandbox"
)

// postExecute answers when the execution is over, however it ended. Only an execution that
// never began is refused.
func (a *API) postExecute(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	var request sandbox.ExecutionRequest
	_, free, err := a.uploadJSON(w, r, &request)
	if err != nil {
		return err
	}
	defer free()
	if request.ID != nil && *request.ID == "" {
		return refuseField("/id", "The id is empty. Leave it out for a random one.")
	}
	outcome, err := sb.Execute(r.Context(), request.Execution())
	switch {
	case r.Context().Err() != nil:
		return nil // the client is gone
	case err != nil:
		if errors.Is(err, sandbox.ErrTooManyExecutions) {
			w.Header().Set("Retry-After", "1") // a running execution may end at any time
		}
		return err
	}
	return answerJSON(w, http.StatusOK, outcome)
}

// postCall answers every BTCP message with 200. An error of the call is in the reply.
func (a *API) postCall(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	var call btcp.Call
	_, free, err := a.uploadJSON(w, r, &call)
	if err != nil {
		return err
	}
	defer free()
	reply, err := sb.CallTool(r.Context(), call)
	if err != nil {
		return nil // the client is gone
	}
	return answerJSON(w, http.StatusOK, reply)
}

// postMCPApp creates the sandbox of an MCP App.
func (a *API) postMCPApp(w http.ResponseWriter, r *http.Request, _ *sandbox.Sandbox) error {
	var spec AppSpec
	_, free, err := a.uploadJSON(w, r, &spec)
	if err != nil {
		return err
	}
	defer free()
	created, err := a.CreateApp(r.Context(), spec)
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusCreated, created)
}
