package server

import (
	"net/http"
	"reflect"
	"regexp"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// appLimit limits the message by which a host hands in an app, which is one HTML document.
var appLimit = bodyLimit{bytes: 15 << 20, values: 16_000}

// An AppGrant says what has become of an app.
type AppGrant struct {
	// Allow is the allow attribute of the view's frame.
	Allow string `json:"allow"`
	// Told is a sentence for each thing that the app asked for and does not get.
	Told []string `json:"told"`
	// Sandbox is what it gets: hostCapabilities.sandbox.
	Sandbox mcpapps.Sandbox `json:"sandbox"`
	// Policy is the Content-Security-Policy of its document.
	Policy string `json:"policy"`
	// Continues says that the app becomes the rest of the document that the view has begun.
	// Otherwise the view must reload the document.
	Continues bool `json:"continues"`
}

// usualBeginning matches HTML that begins as the worker begins a document before the app is
// there, or that a parser reads in the same way.
var usualBeginning = regexp.MustCompile(`^\x{FEFF}?[ \t\n\f\r]*(?i:<!doctype html>)`)

// grantOf compares what an app asks for with what it gets.
func grantOf(resource *mcpapps.Resource, compiled *mcpapps.App) (AppGrant, firewall.Grants) {
	permissions, told := resource.Grants()
	for _, cut := range compiled.Cuts {
		told = append(told, cut.String())
	}
	grants := firewall.Grants{Permissions: permissions}.Sorted()
	return AppGrant{Allow: grants.Allow(), Told: told, Sandbox: compiled.Sandbox(grants.Permissions)}, grants
}

// log tells the operator what an app asked for and does not get.
func (g AppGrant) log(sandbox *Sandbox) {
	for _, text := range g.Told {
		sandbox.Warn("an MCP App does not get all it asks for", "reason", text)
	}
}

// A strictResource rejects what encoding/json would accept silently: invalid UTF-8, duplicate
// names, and names in another case.
type strictResource struct{ mcpapps.Resource }

func (r *strictResource) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &r.Resource) }

// postApp takes the HTML document of ui/notifications/sandbox-resource-ready. It becomes the
// only file of a sandbox that waits for it.
func (s *Server) postApp(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	app := sandbox.app
	if app == nil || app.tools {
		return refuse(http.StatusNotFound, "not-found", "This sandbox is not for an MCP App.")
	}
	var read strictResource
	if _, err := s.readJSON(c, appLimit, nil, &read); err != nil {
		return err
	}
	resource := read.Resource
	if err := resource.Check(); err != nil {
		return refuse(http.StatusBadRequest, "bad-resource", "The app is invalid: %v.", err)
	}
	declared, bounds := app.declarations(resource.CSP)
	compiled, err := s.compile(c.Request().Context(), declared, bounds...)
	if err != nil {
		return err
	}
	files, err := s.store.Snapshot(map[string][]byte{"/index.html": []byte(resource.HTML)}, vfs.DefaultLimits())
	if err != nil {
		return err
	}
	app.mu.Lock()
	defer app.mu.Unlock()
	if app.handedIn {
		return refuse(http.StatusConflict, "second-resource", "This sandbox already has its app. Create a new frame for another app.")
	}
	grant, grants := grantOf(&resource, compiled)
	grant.Told = append(append([]string{}, app.told...), grant.Told...)
	_, err = sandbox.Change(func(before version) (version, protocol.Step, string, error) {
		now, text := before, describeFiles(vfs.Compare(before.Files, files))
		now.Files, now.Grants = files, grants
		if !app.isDeclared(resource.CSP) {
			now.Firewall, now.Baseline = firewall.New(compiled.Policy), compiled.Baseline()
		}
		// A view that waits since the sandbox was made has that revision's headers. They also
		// tell whether the frame gets an allow attribute, which takes effect only when a
		// document is loaded.
		if grant.Continues = before.Revision == 1 && usualBeginning.MatchString(resource.HTML) && sandbox.sameHeaders(ungranted(before), now); grant.Continues {
			app.continued.Store(before.Revision + 1)
		}
		return now, protocol.StepFiles, text, nil
	})
	if err != nil {
		return err
	}
	app.handedIn, app.advises = true, app.newAdvisor(*s.config.MCPApps, resource.CSP)
	s.arrived(sandbox)
	grant.log(sandbox)
	grant.Policy = sandbox.csp()
	return c.JSON(http.StatusOK, grant)
}

// csp returns the Content-Security-Policy of the sandbox's documents.
func (sb *Sandbox) csp() string {
	v, _ := sb.Version()
	return v.Firewall.Headers(firewall.Inner, sb.site(v)).Get("Content-Security-Policy")
}

// declarations returns the declarations of the address and of the message. Either may be
// missing. If both are there, both apply.
func (a *hostedApp) declarations(message *mcpapps.CSP) (declared mcpapps.CSP, bounds []mcpapps.CSP) {
	switch {
	case a.declared == nil && message == nil:
		return mcpapps.CSP{}, nil
	case a.declared == nil:
		return *message, nil
	case message == nil:
		return *a.declared, nil
	default:
		return *a.declared, []mcpapps.CSP{*message}
	}
}

// waits reports whether the view has to wait for the app. a is nil if the sandbox is not for
// an MCP App.
func (a *hostedApp) waits() bool {
	if a == nil || a.tools {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.handedIn
}

// isDeclared reports whether the message declares the same as the address. Then the view keeps
// the policy with which it has booted.
func (a *hostedApp) isDeclared(message *mcpapps.CSP) bool {
	if message == nil {
		return true
	}
	return a.declared != nil && reflect.DeepEqual(*a.declared, *message)
}
