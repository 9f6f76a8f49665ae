package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A description is what the page shows before a tool runs.
type description struct {
	Server *mcp.Implementation `json:"server"`
	// Proxy is the address of the sandbox proxy.
	Proxy string `json:"proxy"`
	Tools []tool `json:"tools"`
}

// A tool is one of the server's tools, with the contents of its _meta.ui.
type tool struct {
	Tool *mcp.Tool `json:"tool"`
	// UI is the ui:// address of the tool's app, or "".
	UI string `json:"ui,omitempty"`
	// An app may call a tool only if that is for apps, and a model only if it is for
	// models.
	ForModel bool `json:"forModel"`
	ForApp   bool `json:"forApp"`
}

func (h *host) describe(ctx context.Context, _ *struct{}) (*description, error) {
	d := &description{Server: &mcp.Implementation{}, Proxy: h.proxy, Tools: []tool{}}
	if result := h.session.InitializeResult(); result != nil && result.ServerInfo != nil {
		d.Server = result.ServerInfo
	}
	for t, err := range h.session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("the MCP server does not list its tools: %w", err)
		}
		d.Tools = append(d.Tools, describeTool(t))
	}
	return d, nil
}

func describeTool(t *mcp.Tool) tool {
	ui, _ := uiOf(t.Meta)
	uri, _ := ui["resourceUri"].(string)
	if uri == "" {
		uri, _ = t.Meta["ui/resourceUri"].(string) // the form before 2026-01-26
	}
	if !strings.HasPrefix(uri, "ui://") {
		uri = ""
	}
	visibility, limited := ui["visibility"].([]any)
	is := func(who string) bool { return !limited || slices.Contains(visibility, any(who)) }
	return tool{Tool: t, UI: uri, ForModel: is("model"), ForApp: is("app")}
}

// uiOf returns _meta.ui, and whether there is one.
func uiOf(meta mcp.Meta) (ui map[string]any, found bool) {
	ui, found = meta["ui"].(map[string]any)
	return ui, found
}

// An app has what ui/notifications/sandbox-resource-ready needs. Bellglass parses CSP
// and Permissions, so they stay as the server wrote them.
type app struct {
	HTML        string `json:"html"`
	CSP         any    `json:"csp,omitempty"`
	Permissions any    `json:"permissions,omitempty"`
}

func (h *host) app(ctx context.Context, params *mcp.ReadResourceParams) (*app, error) {
	read, err := h.session.ReadResource(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("the MCP server does not hand out the app %s: %w", params.URI, err)
	}
	if len(read.Contents) != 1 {
		return nil, fmt.Errorf("the app %s has %d contents; an app is one document", params.URI, len(read.Contents))
	}
	content := read.Contents[0]
	if content.MIMEType != appType {
		return nil, fmt.Errorf("the app %s has the MIME type %q; an app has %s", params.URI, content.MIMEType, appType)
	}
	a := &app{HTML: content.Text}
	if a.HTML == "" {
		a.HTML = string(content.Blob)
	}
	// A server may declare in the content or in its list. The content takes precedence.
	ui, found := uiOf(content.Meta)
	if !found {
		if ui, err = h.listed(ctx, params.URI); err != nil {
			return nil, err
		}
	}
	a.CSP, a.Permissions = ui["csp"], ui["permissions"]
	return a, nil
}

// listed returns _meta.ui of a resource in the server's list. A server need not list
// its resources.
func (h *host) listed(ctx context.Context, uri string) (map[string]any, error) {
	if result := h.session.InitializeResult(); result == nil || result.Capabilities == nil || result.Capabilities.Resources == nil {
		return nil, nil
	}
	for resource, err := range h.session.Resources(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("the MCP server does not list its resources: %w", err)
		}
		if resource.URI == uri {
			ui, _ := uiOf(resource.Meta)
			return ui, nil
		}
	}
	return nil, nil
}
