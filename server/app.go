package server

import (
	"net/http"
	"reflect"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// appLimit is what a host may hand in: an app is one HTML document.
var appLimit = bodyLimit{bytes: 15 << 20, values: 16_000}

// appAnswer tells the outer frame what has become of an app.
type appAnswer struct {
	// Allow is the allow attribute of the view's frame.
	Allow string `json:"allow"`
	// Told is a sentence for each thing that the app asked for and does not get.
	Told []string `json:"told"`
}

// postApp makes the HTML document of ui/notifications/sandbox-resource-ready the only file
// of a sandbox that waits for it.
func (s *Server) postApp(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	app := sandbox.app
	if app == nil {
		return refuse(http.StatusNotFound, "not-found", "This sandbox is not one for an MCP App.")
	}
	var resource mcpapps.Resource
	if _, err := s.readJSON(c, appLimit, nil, &resource); err != nil {
		return err
	}
	if err := resource.Check(); err != nil {
		return refuse(http.StatusBadRequest, "bad-resource", "The app is rejected: %v.", err)
	}
	compiled, err := app.compile(resource.CSP, *s.config.MCPApps)
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
		return refuse(http.StatusConflict, "second-resource", "This sandbox has its app already. A host makes a new frame for another one.")
	}
	permissions, told := resource.Grants()
	for _, cut := range compiled.Cuts {
		told = append(told, cut.String())
	}
	grants := firewall.Grants{Permissions: permissions}.Sorted()
	_, err = sandbox.change(func(now version) (version, protocol.Step, string, error) {
		text := describe(vfs.Compare(now.files, files))
		now.files, now.grants = files, grants
		if !app.isDeclared(resource.CSP) {
			now.fire, now.baseline = firewall.New(compiled.Policy), compiled.Baseline()
		}
		return now, protocol.StepFiles, text, nil
	})
	if err != nil {
		return err
	}
	app.handedIn = true
	s.arrived(sandbox)
	for _, text := range told {
		sandbox.lines.warn("an MCP App does not get all it asks for", "reason", text)
	}
	return c.JSON(http.StatusOK, appAnswer{Allow: grants.Allow(), Told: append([]string{}, told...)})
}

// compile makes the policy of both declarations, of which either may be missing.
func (a *hostedApp) compile(message *mcpapps.CSP, options mcpapps.Options) (*mcpapps.App, error) {
	switch {
	case a.declared == nil && message == nil:
		return mcpapps.Compile(mcpapps.CSP{}, options)
	case a.declared == nil:
		return mcpapps.Compile(*message, options)
	case message == nil:
		return mcpapps.Compile(*a.declared, options)
	default:
		return mcpapps.Compile(*a.declared, options, *message)
	}
}

// isDeclared reports whether the message declares what the address did, so that the
// policy with which the view has booted stays.
func (a *hostedApp) isDeclared(message *mcpapps.CSP) bool {
	if message == nil {
		return true
	}
	return a.declared != nil && reflect.DeepEqual(*a.declared, *message)
}
