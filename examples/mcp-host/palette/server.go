// Package palette is an MCP server for color palettes. It has one tool, with an app.
//
// [NewServer] returns the server, and [Make] does what its tool does. The app,
// view.html, is one document without libraries. It sends the messages of the MCP Apps
// specification and calls the server's tool. It declares no domain, so it reaches
// nothing else.
package palette

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed view.html
var view string

// viewURI names the app. The MIME type tells a host that the resource is an app.
const (
	viewURI  = "ui://palette/view.html"
	viewType = "text/html;profile=mcp-app"
)

// inputSchema has defaults, with which a host can fill in a form.
const inputSchema = `{
	"type": "object",
	"properties": {
		"color": {"type": "string", "description": "The color to begin with: # and six hexadecimal digits", "default": "#17707b"},
		"turn": {"type": "number", "description": "Degrees by which to turn its hue", "minimum": -180, "maximum": 180, "default": 0}
	},
	"required": ["color"]
}`

type input struct {
	Color string  `json:"color"`
	Turn  float64 `json:"turn,omitempty"`
}

// NewServer returns a server that makes color palettes.
func NewServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "palette", Title: "Palette", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{
		Name:        "make_palette",
		Title:       "Make a palette",
		Description: "Makes eleven shades of a color, from light to dark, and says which ink is readable on each.",
		InputSchema: json.RawMessage(inputSchema),
		Meta:        mcp.Meta{"ui": map[string]any{"resourceUri": viewURI}},
	}, makePalette)
	s.AddResource(&mcp.Resource{URI: viewURI, Name: "palette", MIMEType: viewType}, readView)
	return s
}

func makePalette(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, Palette, error) {
	made, err := Make(in.Color, in.Turn)
	if err != nil {
		return nil, Palette{}, err
	}
	// The text is for the model, the structured content for the app.
	var text strings.Builder
	fmt.Fprintf(&text, "Shades of %s:", made.Color)
	for _, swatch := range made.Swatches {
		fmt.Fprintf(&text, " %d %s", swatch.Step, swatch.Hex)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text.String()}}}, made, nil
}

func readView(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: viewURI, MIMEType: viewType, Text: view,
		// The app declares no csp and one permission: it copies a shade's value.
		Meta: mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"clipboardWrite": map[string]any{}}, "prefersBorder": true}},
	}}}, nil
}
