package server

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// A BTCP client frames one page, which is the outer frame of a new sandbox, and calls tools by
// postMessage. The sandbox has no files of the client: each call brings its tool.

const toolPage = "/btcp.html"

// ToolsURL returns the address that a BTCP client frames, or "" without [Config.BTCP].
func (s *Server) ToolsURL() string {
	if s.config.BTCP == nil {
		return ""
	}
	return s.outerOrigin + toolPage
}

func (s *Server) toolRoutes() []route {
	if s.config.BTCP == nil {
		return nil
	}
	return append(s.framedPage(toolPage, firewall.Notice, s.leadToNew(s.makeForTools)),
		route{methods: posts, path: "/{id}/tools", of: ofSandbox, guards: []echo.MiddlewareFunc{requireToken, metered}, handle: s.postTool})
}

// toolView is the document of the view in such a sandbox. Clients usually hide it.
const toolView = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tools</title><p>Tools run here.</p></html>`

func (s *Server) makeForTools(c echo.Context) (*Sandbox, error) {
	if err := refuseSharedOrigin(c); err != nil {
		return nil, err
	}
	files, err := s.store.Snapshot(map[string][]byte{"/index.html": []byte(toolView)}, vfs.DefaultLimits())
	if err != nil {
		return nil, err
	}
	sandbox, err := s.create(Spec{Name: "BTCP", Files: files, Policy: s.config.BTCP.Bound()}, &hostedApp{tools: true})
	if errors.Is(err, ErrFull) {
		return nil, refuse(http.StatusServiceUnavailable, "full", "%v.", err)
	}
	if err != nil {
		return nil, err
	}
	s.awaitApp(sandbox)
	return sandbox, nil
}

// postTool takes a call that an outer frame got from the page above it. The reply goes to the
// outer frame on its stream of events, where it can take as long as the tool does.
func (s *Server) postTool(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	if sandbox.app == nil || !sandbox.app.tools {
		return refuse(http.StatusNotFound, "not-found", "This sandbox does not accept tool calls.")
	}
	var posted struct {
		Call    string          `json:"call"`
		Message json.RawMessage `json:"message"`
	}
	// JSON may escape each byte of the code and the arguments as six.
	limit := bodyLimit{bytes: 12*int(s.config.Limits.ExecutionBytes) + reportsLimit.bytes, values: api.MaxValues}
	if _, err := s.readJSON(c, limit, nil, &posted); err != nil {
		return err
	}
	if posted.Call == "" || len(posted.Call) > 64 {
		return refuse(http.StatusBadRequest, "bad-call", "The call has no name, or one of more than 64 bytes.")
	}
	var call btcp.Call
	if err := api.Decode(posted.Message, &call); err != nil {
		return err
	}
	s.arrived(sandbox)
	tell := func(reply btcp.Reply) error {
		text, err := json.Marshal(reply)
		if err == nil {
			sandbox.Tell(protocol.Replied{Call: posted.Call, Reply: text})
		}
		return err
	}
	// Invalid calls are answered here, so that they cost no goroutine that outlives the
	// request.
	if err := call.Check(); err != nil {
		if err := tell(call.Fail(err)); err != nil {
			return err
		}
		return c.NoContent(http.StatusAccepted)
	}
	go func() {
		reply, err := sandbox.RunTool(sandbox.Alive(), call, posted.Call)
		if err == nil {
			err = tell(reply)
		}
		if err != nil && sandbox.Alive().Err() == nil {
			sandbox.Warn("a call of a tool has no answer", "error", err)
		}
	}()
	return c.NoContent(http.StatusAccepted)
}
