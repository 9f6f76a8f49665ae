package server

import (
	"net/url"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
)

// An appAdvisor advises the author of a sandbox's MCP App about refusals. It gives no advice
// before the app is there.
type appAdvisor struct{ sandbox *Sandbox }

func (a appAdvisor) Advise(directive, method, address string) protocol.Remedy {
	advisor := a.sandbox.app.advisor()
	if advisor == nil {
		return protocol.Remedy{}
	}
	if u, err := url.Parse(address); err == nil && u.Scheme+"://"+u.Host == a.sandbox.URL() {
		return protocol.Remedy{Advice: "The app is one HTML document, and its own origin has no other file. Put into the HTML what it needs, or serve that elsewhere."}
	}
	change, advice := advisor.Advise(mcpapps.Refusal{Directive: directive, Method: method, URL: address})
	if change == (mcpapps.Change{}) {
		return protocol.Remedy{Advice: advice}
	}
	return protocol.Remedy{Change: map[string][]string{change.Field: {change.Entry}}, Advice: advice}
}

// AdviseLeaving advises about an app that tried to leave its frame.
func (a appAdvisor) AdviseLeaving() protocol.Remedy {
	if a.sandbox.app.advisor() == nil {
		return protocol.Remedy{}
	}
	return protocol.Remedy{Advice: "An app cannot navigate to another origin. Ask the host to open the link, by ui/open-link."}
}

// newAdvisor returns the advisor of an app. message is the declaration with which the app was
// handed in, or nil. A host takes both declarations from _meta.ui.csp. If they differ, the
// host has narrowed the one in the address. A change of _meta.ui.csp may then have no effect
// on it.
func (a *hostedApp) newAdvisor(options mcpapps.Options, message *mcpapps.CSP) *mcpapps.Advisor {
	declared, bounds := a.declarations(message)
	if a.isDeclared(message) || len(bounds) == 0 {
		return mcpapps.NewAdvisor(declared, options)
	}
	return mcpapps.NewAdvisor(*message, options, declared)
}

// advisor returns nil if the sandbox is not for an MCP App, and before the app is there.
func (a *hostedApp) advisor() *mcpapps.Advisor {
	if a == nil || a.tools {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.advises
}
