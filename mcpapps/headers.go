package mcpapps

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
)

// originSyntax matches an origin as browsers serialize it. No such text can end a
// source in a header.
var originSyntax = regexp.MustCompile(`^https?://[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]{1,5})?$`)

// A Document says where a program serves an app's document.
type Document struct {
	// Origin is the document's origin, such as http://app.localhost:4000. No other app
	// may share it.
	Origin string
	// Ancestors are the origins of the pages that may frame it. Default: none.
	Ancestors []string
	// Features are the app's Permissions Policy features; see [UI.Features]. [Permissions]
	// returns all possible ones.
	Features []string
}

// Headers returns the policy headers for an app's document that another server than
// Bellglass serves. They contain everything that a browser enforces by itself, and
// nothing wider. They do not stop the app from navigating its own frame to another
// site. For that, the page around it needs a frame-src directive that names only the
// document's origin, as a Bellglass server's outer frame has.
func (a *App) Headers(d Document) (http.Header, error) {
	for _, origin := range append([]string{d.Origin}, d.Ancestors...) {
		if !originSyntax.MatchString(origin) {
			return nil, fmt.Errorf("mcpapps: %.100q is not an origin such as http://app.localhost:4000", origin)
		}
	}
	for _, feature := range d.Features {
		if !slices.Contains(Permissions(), feature) {
			return nil, fmt.Errorf("mcpapps: an app cannot have the feature %.100q; those that it can have are %s", feature, strings.Join(Permissions(), ", "))
		}
	}
	around := d.Ancestors
	if len(around) == 0 {
		around = []string{d.Origin}
	}
	fire := firewall.New(a.Policy.WithoutWorker())
	return fire.Headers(firewall.Inner, firewall.Site{
		Inner: d.Origin, Outer: around[0], Embedders: slices.Clone(around[1:]),
		Baseline: a.Baseline(), Grants: firewall.Grants{Permissions: d.Features}.Sorted(),
	}), nil
}
