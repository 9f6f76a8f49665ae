// Command mcpserver is an MCP server for tests of hosts. It speaks over standard input
// and output. Its arguments are two origins, and its app requests both. The tool
// "narrow" declares the first, the tool "wide" both. The tool "said" returns the
// arguments of all its calls so far.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed app.html
var app string

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: mcpserver ORIGIN ORIGIN")
		os.Exit(2)
	}
	if err := newServer(os.Args[1], os.Args[2]).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "mcpserver:", err)
		os.Exit(1)
	}
}

type input struct {
	Said string `json:"said,omitempty"`
}

type output struct {
	All []string `json:"all"`
}

func newServer(first, second string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "for-tests", Version: "1"}, nil)
	narrow, wide := declaring(first), declaring(first, second)
	// For "wide", the declaration is only in the list. For "narrow" it is in both
	// places, and differs.
	addApp(s, "narrow", mcp.Meta{"ui/resourceUri": "ui://for-tests/narrow"}, wide, narrow)
	addApp(s, "wide", mcp.Meta{"ui": map[string]any{"resourceUri": "ui://for-tests/wide"}}, wide, nil)
	all := []string{}
	mcp.AddTool(s, &mcp.Tool{Name: "said"}, func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, output, error) {
		all = append(all, in.Said)
		return nil, output{all}, nil
	})
	return s
}

func declaring(origins ...string) mcp.Meta {
	// No host grants the last one.
	return mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": append(origins, "*")}}}
}

func addApp(s *mcp.Server, name string, tool, listed, read mcp.Meta) {
	uri := "ui://for-tests/" + name
	mcp.AddTool(s, &mcp.Tool{Name: name, Meta: tool}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the result"}}}, nil, nil
	})
	const appType = "text/html;profile=mcp-app"
	s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: appType, Meta: listed}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: appType, Text: app, Meta: read}}}, nil
	})
}
