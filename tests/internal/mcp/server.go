package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellglass/bellglass/tests/internal/npm"
)

// A Server is a running MCP server, in a process of its own.
type Server struct{ session *mcp.ClientSession }

// Start runs the server of an npm package, such as "@modelcontextprotocol/server-basic-react".
func Start(ctx context.Context, name string) (*Server, error) {
	dir, err := npm.Dir(name)
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bellglass-tests", Version: "1"}, nil)
	command := exec.Command("node", filepath.Join(dir, "dist", "index.js"), "--stdio")
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Server{session}, nil
}

// Close ends the server.
func (s *Server) Close() error { return s.session.Close() }

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
