package mcpapps

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"github.com/bellglass/bellglass/firewall"
)

// originSyntax is that of an origin as browsers serialize it: nothing in it can end a source
// of a header.
var originSyntax = regexp.MustCompile(`^https?://[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]{1,5})?$`)

// A Document is where a program of its own serves an app's document.
type Document struct {
	// Origin is the document's, such as http://app.localhost:4000. No other app may have it.
	Origin string
	// Ancestors are the origins of the pages around it. Default: no page may frame it.
	Ancestors []string
	// Features are what the app gets of Permissions Policy; see [UI.Features].
	Features []string
}

// Headers returns the policy headers of an app's document that no Bellglass server serves.
// They hold all of the policy that a browser holds by itself, and nothing wider. They do
// not keep the app from navigating its own frame to another site: the page around it needs
// a frame-src directive that names the document's origin alone, as the outer frame of a
// server has.
func (a *App) Headers(d Document) (http.Header, error) {
	for _, origin := range append([]string{d.Origin}, d.Ancestors...) {
		if !originSyntax.MatchString(origin) {
			return nil, fmt.Errorf("mcpapps: %.100q is not an origin such as http://app.localhost:4000", origin)
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
