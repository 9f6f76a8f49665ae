package mcpapps

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A UI is _meta.ui of a resource (specification 2026-01-26, "UI Resource Format"). A
// host reads it from the items of resources/read and of resources/list; the former take
// precedence.
type UI struct {
	// CSP is the app's declaration, or nil if there is none.
	CSP *CSP `json:"csp,omitempty"`
	// Permissions are as in [Resource].
	Permissions map[string]jsontext.Value `json:"permissions,omitempty"`
	// Domain is the origin that the server claims for the app. Another server can claim
	// the same one.
	Domain string `json:"domain,omitempty"`
}

// ParseUI parses the JSON of _meta.ui. It rejects what [ParseCSP] rejects, and fields
// of the wrong kind. Unknown fields are ignored.
func ParseUI(text []byte) (UI, error) {
	var ui UI
	if err := json.Unmarshal(text, &ui); err != nil {
		return UI{}, fmt.Errorf("_meta.ui is not that of the MCP Apps specification: %w", err)
	}
	return ui, nil
}

// Compile turns the app's declaration into a policy.
func (ui UI) Compile(options Options) (*App, error) {
	if ui.CSP == nil {
		return Compile(CSP{}, options)
	}
	return Compile(*ui.CSP, options)
}

// Features returns the permissions that the app gets, as Permissions Policy features,
// sorted.
func (ui UI) Features() []string {
	granted, _ := (&Resource{Permissions: ui.Permissions}).Grants()
	return granted
}
