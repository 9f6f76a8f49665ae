package mcpapps

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
)

// A Change is an entry that an app's author can add to _meta.ui.csp. The zero Change is
// none.
type Change struct {
	// Field is the list, such as connectDomains.
	Field string
	// Entry is an origin, such as https://api.example.com.
	Entry string
}

// A Refusal is something that a policy refused: a request, or an address of a base
// element.
type Refusal struct {
	// Directive is the one of the Content-Security-Policy that governs it, such as img-src
	// or script-src-elem.
	Directive string
	// Method is the HTTP method, "" if it is not known.
	Method string
	// URL is absolute, as the browser writes it, or what a violation has in its place, such
	// as eval (CSP Level 3, section 5.5).
	URL string
}

const baseURI = "base-uri"

func (r Refusal) request() firewall.Request {
	return firewall.Request{Method: cmp.Or(r.Method, "GET"), URL: r.URL, Type: firewall.TypeOf(r.Directive, r.URL)}
}

// fieldless are the directives that the specification has no field for, in words.
var fieldless = map[string]string{
	"worker-src": "workers", "form-action": "forms", "object-src": "plugins", "manifest-src": "web app manifests",
}

// keywords are what stands for the URL of a violation that is no request.
var keywords = map[string]string{
	"inline": "inline code of this kind", "eval": "eval", "wasm-eval": "WebAssembly",
}

// change returns the only entry that could allow what was refused. If there is none, it
// returns a sentence for the app's author.
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
		why = "a WebSocket belongs into " + connectDomains
	case strings.Contains(host, "*"): // to a browser a part of the name, in an entry other hosts
		why = "in an entry the star stands for other hosts"
	default:
		return c, ""
	}
	return Change{}, fmt.Sprintf("No change of _meta.ui.csp helps, because %.100q cannot be declared: %s.", c.Entry, why)
}

// field returns the list that speaks of such requests with a scheme, or "".
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
