package mcpapps

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A UI is _meta.ui of a resource (specification 2026-01-26, "UI Resource Format"). A host
// reads it from the items of resources/read and of resources/list; the former wins.
type UI struct {
	// CSP is what the app declares; nil if there is none.
	CSP *CSP `json:"csp,omitempty"`
	// Permissions are as in [Resource].
	Permissions map[string]jsontext.Value `json:"permissions,omitempty"`
	// Domain is what the server claims as the app's origin. Another server can claim the
	// same.
	Domain string `json:"domain,omitempty"`
}

// ParseUI reads the JSON of _meta.ui. It returns an error for what [ParseCSP] rejects, and
// for a field of another kind. Fields that it does not know are ignored.
func ParseUI(text []byte) (UI, error) {
	var ui UI
	if err := json.Unmarshal(text, &ui); err != nil {
		return UI{}, fmt.Errorf("_meta.ui is not that of the MCP Apps specification: %w", err)
	}
	return ui, nil
}

// Compile makes a policy of what the app declares.
func (ui UI) Compile(options Options) (*App, error) {
	if ui.CSP == nil {
		return Compile(CSP{}, options)
	}
	return Compile(*ui.CSP, options)
}

// Features returns the permissions that the app gets, as features of Permissions Policy,
// sorted.
func (ui UI) Features() []string {
	granted, _ := (&Resource{Permissions: ui.Permissions}).Grants()
	return granted
}
