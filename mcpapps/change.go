package mcpapps

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
)

// A Change is an entry that an app's author can add to _meta.ui.csp. The zero Change is
// no change.
type Change struct {
	// Field is the list, such as connectDomains.
	Field string
	// Entry is an origin, such as https://api.example.com.
	Entry string
}

// A Refusal is a request, or the URL of a base element, that a policy refused.
type Refusal struct {
	// Directive is the Content-Security-Policy directive that governs it, such as
	// img-src or script-src-elem.
	Directive string
	// Method is the HTTP method, or "" if unknown.
	Method string
	// URL is the absolute URL as the browser serializes it, or the keyword that a
	// violation has instead, such as eval (CSP Level 3, section 5.5).
	URL string
}

const baseURI = "base-uri"

func (r Refusal) request() firewall.Request {
	return firewall.Request{Method: cmp.Or(r.Method, "GET"), URL: r.URL, Type: firewall.TypeOf(r.Directive, r.URL)}
}

// fieldless maps the directives for which the specification has no field to words for
// the author.
var fieldless = map[string]string{
	"worker-src": "workers", "form-action": "forms", "object-src": "plugins", "manifest-src": "web app manifests",
}

// keywords maps what a violation has instead of a URL to words for the author.
var keywords = map[string]string{
	"inline": "inline code of this kind", "eval": "eval", "wasm-eval": "WebAssembly",
}

// change returns the only entry that could allow the refused request. If there is none,
// it returns a sentence for the app's author.
func (r Refusal) change() (c Change, why string) {
	const helpless = ", so no change of it helps."
	if r.field("https") == "" {
		return c, "_meta.ui.csp has no field for " + cmp.Or(fieldless[r.Directive], r.Directive, "such requests") + helpless
	}
	if word := keywords[r.URL]; word != "" {
		return c, "_meta.ui.csp has no field for " + word + helpless
	}
	scheme, rest, found := strings.Cut(r.URL, "://")
	if !found {
		return c, fmt.Sprintf("_meta.ui.csp names origins, and %.50q has none%s", r.URL, helpless)
	}
	host := rest
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		host = rest[:end]
	}
	c = Change{r.field(scheme), scheme + "://" + host}
	_, err := parseDomain(c.Entry)
	switch {
	case err != nil:
		why = err.Error()
	case c.Field == "":
		why = "a WebSocket belongs in " + connectDomains
	case strings.Contains(host, "*"): // a literal "*" in the URL would be a wildcard in an entry
		why = "in an entry the star stands for other hosts"
	default:
		return c, ""
	}
	return Change{}, fmt.Sprintf("No change of _meta.ui.csp helps, because %.100q cannot be declared: %s.", c.Entry, why)
}

// field returns the list that governs such requests for URLs with a scheme, or "".
func (r Refusal) field(scheme string) string {
	if r.Directive == baseURI {
		return baseURIDomains
	}
	kind := firewall.TypeOf(r.Directive, scheme+":")
	for _, list := range (CSP{}).lists() {
		if slices.Contains(entry{field: list.field, domain: domain{scheme: scheme}}.types(), kind) {
			return list.field
		}
	}
	return ""
}
