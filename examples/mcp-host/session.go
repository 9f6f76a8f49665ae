package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// appType is the MIME type of an app.
const appType = "text/html;profile=mcp-app"

// patience is how long a server may take to start. npx may have to install it first.
const patience = 2 * time.Minute

// connect starts the MCP server. Without a command it starts this program's own.
func connect(ctx context.Context, command []string) (*mcp.ClientSession, error) {
	if len(command) == 0 {
		own, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("cannot find this program's own file, to start its MCP server: %w", err)
		}
		command = []string{own, paletteServer}
	}
	// A server offers apps only to clients that say they can show them.
	var capabilities mcp.ClientCapabilities
	capabilities.AddExtension("io.modelcontextprotocol/ui", map[string]any{"mimeTypes": []string{appType}})
	client := mcp.NewClient(&mcp.Implementation{Name: "bellglass-mcp-host", Title: "MCP host", Version: "1.0.0"}, &mcp.ClientOptions{Capabilities: &capabilities})

	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr
	starting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	session, err := client.Connect(starting, &mcp.CommandTransport{Command: process, TerminateDuration: 2 * time.Second}, nil)
	switch {
	case err == nil:
		return session, nil
	case process.Process == nil:
		return nil, fmt.Errorf("cannot start the MCP server: %w", err)
	default:
		return nil, fmt.Errorf("%q does not answer as an MCP server over standard input and output: %w. Run the command by itself to see what it prints; some servers need an argument such as --stdio", strings.Join(command, " "), err)
	}
}

// wait returns when the server has ended. It returns an error unless ctx ended first.
func wait(ctx context.Context, session *mcp.ClientSession) error {
	err := session.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(errors.New("the MCP server has ended. The lines above may say why. Start mcp-host again"), err)
}
