package mcpapps

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bellglass/bellglass/firewall"
)

// A Resource is the content of ui/notifications/sandbox-resource-ready (specification
// 2026-01-26, "Sandbox proxy").
type Resource struct {
	// HTML is the app's document.
	HTML string `json:"html"`
	// CSP is the app's declaration, or nil if the message has none.
	CSP *CSP `json:"csp,omitempty"`
	// Permissions are the ones that the app requests, by name: camera, microphone,
	// geolocation, clipboardWrite. The specification defines no values yet.
	Permissions map[string]jsontext.Value `json:"permissions,omitempty"`
	// Sandbox is the value of a sandbox attribute.
	Sandbox string `json:"sandbox,omitempty"`
}

// Check returns an error if the resource has nothing to run.
func (r *Resource) Check() error {
	switch {
	case strings.TrimSpace(r.HTML) == "":
		return errors.New("the html is empty")
	case !utf8.ValidString(r.HTML):
		return errors.New("the html is not valid UTF-8")
	}
	return nil
}

// permissions maps the specification's permissions to their names in an allow
// attribute.
var permissions = map[string]string{
	"camera": "camera", "microphone": "microphone", "geolocation": "geolocation", "clipboardWrite": "clipboard-write",
}

// Permissions returns the permissions that an app can be granted, as Permissions Policy
// features, sorted.
func Permissions() []string { return slices.Sorted(maps.Values(permissions)) }

// A Sandbox is what an app was granted. A host puts it into its response to
// ui/initialize as hostCapabilities.sandbox (specification 2026-01-26,
// "McpUiHostCapabilities"). Its JSON always has both fields; {} means nothing.
type Sandbox struct {
	// CSP has the declared domains that were granted, each list sorted.
	CSP CSP `json:"csp"`
	// Permissions are by name, as in [Resource.Permissions].
	Permissions map[string]struct{} `json:"permissions"`
}

// Sandbox returns what the app was granted. features are permissions as
// [Resource.Grants] returns them.
func (a *App) Sandbox(features []string) Sandbox {
	s := Sandbox{CSP: a.Granted.sorted(), Permissions: map[string]struct{}{}}
	for name, feature := range permissions {
		if slices.Contains(features, feature) {
			s.Permissions[name] = struct{}{}
		}
	}
	return s
}

// ownFlags are the sandboxing flags of every sandbox.
var ownFlags = strings.Fields(firewall.Grants{}.Sandbox())

// Grants returns the permissions that the app gets, sorted, and a sentence for each
// other thing that it requests.
func (r *Resource) Grants() (granted, told []string) {
	for name := range r.Permissions {
		if feature, found := permissions[name]; found {
			granted = append(granted, feature)
		} else {
			told = append(told, fmt.Sprintf("permissions: %.50q is not granted: the specification has camera, microphone, geolocation and clipboardWrite", name))
		}
	}
	for flag := range strings.FieldsSeq(r.Sandbox) {
		if !slices.Contains(ownFlags, strings.ToLower(flag)) {
			told = append(told, fmt.Sprintf("sandbox: %.50q is not granted: an app has %s", flag, strings.Join(ownFlags, ", ")))
		}
	}
	slices.Sort(granted)
	slices.Sort(told)
	return granted, told
}
