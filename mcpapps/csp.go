package mcpapps

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A CSP is what an app declares in _meta.ui.csp. Each entry is an origin, such as
// https://api.example.com or https://*.example.com. The zero CSP declares nothing.
type CSP struct {
	// ConnectDomains are for fetch(), XMLHttpRequest, EventSource and WebSocket.
	ConnectDomains []string `json:"connectDomains,omitempty"`
	// ResourceDomains are for scripts, style sheets, images, fonts and media.
	ResourceDomains []string `json:"resourceDomains,omitempty"`
	// FrameDomains are for documents in frames.
	FrameDomains []string `json:"frameDomains,omitempty"`
	// BaseURIDomains are for the base element.
	BaseURIDomains []string `json:"baseUriDomains,omitempty"`
}

// Limits of a declaration.
const (
	MaxCSPBytes   = 32 << 10
	MaxCSPEntries = 256
)

// The names of the lists in errors and cuts.
const (
	connectDomains  = "connectDomains"
	resourceDomains = "resourceDomains"
	frameDomains    = "frameDomains"
	baseURIDomains  = "baseUriDomains"
)

// ParseCSP parses a declaration in JSON. It rejects anything but an object of lists of
// strings, repeated names, and declarations that are too large. null declares nothing.
// Unknown fields are ignored, because they grant nothing.
func ParseCSP(text []byte) (CSP, error) {
	if len(text) > MaxCSPBytes {
		return CSP{}, fmt.Errorf("the csp has %d bytes; at most %d are allowed", len(text), MaxCSPBytes)
	}
	if kind := jsontext.Value(bytes.TrimSpace(text)).Kind(); kind != '{' && kind != 'n' {
		return CSP{}, errors.New("the csp is not a JSON object such as {\"connectDomains\": [\"https://api.example.com\"]}")
	}
	type plain CSP
	var read plain
	if err := json.Unmarshal(text, &read); err != nil {
		return CSP{}, fmt.Errorf("the csp is not the JSON of the MCP Apps specification: %w", err)
	}
	csp := CSP(read)
	entries := 0
	for _, list := range csp.lists() {
		entries += len(list.entries)
	}
	if entries > MaxCSPEntries {
		return CSP{}, fmt.Errorf("the csp declares %d domains; at most %d are allowed", entries, MaxCSPEntries)
	}
	return csp, nil
}

// UnmarshalJSON implements [json.Unmarshaler] as [ParseCSP], for a declaration inside
// another message.
func (c *CSP) UnmarshalJSON(text []byte) error {
	csp, err := ParseCSP(text)
	if err == nil {
		*c = csp
	}
	return err
}

type list struct {
	field   string
	entries []string
}

func (c CSP) lists() []list {
	return []list{{connectDomains, c.ConnectDomains}, {resourceDomains, c.ResourceDomains}, {frameDomains, c.FrameDomains}, {baseURIDomains, c.BaseURIDomains}}
}

// list returns the list with the given name, or nil.
func (c *CSP) list(field string) *[]string {
	switch field {
	case connectDomains:
		return &c.ConnectDomains
	case resourceDomains:
		return &c.ResourceDomains
	case frameDomains:
		return &c.FrameDomains
	case baseURIDomains:
		return &c.BaseURIDomains
	}
	return nil
}

// with returns the declaration with a change applied. The lists of c stay as they are.
func (c CSP) with(change Change) CSP {
	if list := c.list(change.Field); list != nil {
		*list = append(slices.Clip(*list), change.Entry)
	}
	return c
}

// sorted returns the declaration with each list sorted and without duplicates.
func (c CSP) sorted() CSP {
	of := func(entries []string) []string { return slices.Compact(slices.Sorted(slices.Values(entries))) }
	return CSP{of(c.ConnectDomains), of(c.ResourceDomains), of(c.FrameDomains), of(c.BaseURIDomains)}
}
