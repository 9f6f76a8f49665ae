package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Server is a running MCP server, in its own process.
type Server struct{ session *mcp.ClientSession }

// imports are the packages that a server imports. Most servers have everything in one
// file.
var imports = map[string][]string{"@modelcontextprotocol/server-pdf": {"pdfjs-dist"}}

// Start runs the server of an npm package, such as
// "@modelcontextprotocol/server-basic-react", with arguments. dir is an empty folder of
// the caller's.
func Start(ctx context.Context, dir, name string, arguments ...string) (*Server, error) {
	if err := link(dir, append([]string{name}, imports[name]...)); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bellglass-tests", Version: "1"}, nil)
	command := exec.Command("node", append([]string{
		"--preserve-symlinks", "--preserve-symlinks-main", // so that it finds its imports
		filepath.Join(dir, "node_modules", filepath.FromSlash(name), "dist", "index.js"), "--stdio",
	}, arguments...)...)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command, TerminateDuration: time.Second}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Server{session}, nil
}

// Close ends the server: by closing its input or, if that is not enough, by a signal.
func (s *Server) Close() error {
	err := s.session.Close()
	if exit, _ := errors.AsType[*exec.ExitError](err); exit != nil && !exit.Exited() {
		return nil
	}
	return err
}

// Do sends a request and returns its result, both in JSON.
func (s *Server) Do(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "tools/list":
		return s.session.ListTools(ctx, nil)
	case "tools/call":
		var call struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(params, &call); err != nil {
			return nil, err
		}
		return s.session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments})
	case "resources/read":
		var read mcp.ReadResourceParams
		if err := json.Unmarshal(params, &read); err != nil {
			return nil, err
		}
		return s.session.ReadResource(ctx, &read)
	}
	return nil, fmt.Errorf("no request of the tests has the method %s", method)
}
