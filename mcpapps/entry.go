package mcpapps

import (
	"errors"
	"slices"

	"github.com/bellglass/bellglass/rules"
)

// An entry is one that can be granted.
type entry struct {
	field, text string
	domain
}

// types returns the types of requests that the entry allows, none for the base element.
func (e entry) types() []rules.Type {
	switch {
	case e.isWebSocket():
		return []rules.Type{rules.TypeWebSocket}
	case e.field == connectDomains:
		return []rules.Type{rules.TypeFetch}
	case e.field == resourceDomains:
		return []rules.Type{rules.TypeScript, rules.TypeStyle, rules.TypeImage, rules.TypeFont, rules.TypeMedia}
	case e.field == frameDomains:
		return []rules.Type{rules.TypeFrame}
	}
	return nil
}

// rule returns the id of the entry's rule: the list's name, spelled as an id.
func (e entry) rule() string {
	id := map[string]string{connectDomains: "connect-domains", resourceDomains: "resource-domains", frameDomains: "frame-domains"}[e.field]
	if e.isWebSocket() {
		return id + "-websocket"
	}
	return id
}

func (e entry) sharesRule(other entry) bool { return e.rule() == other.rule() }

// byBrowserAlone reports whether the service worker never sees such requests. Then the
// browser must enforce the rule exactly as it is.
func (e entry) byBrowserAlone() bool { return e.isWebSocket() || e.field == frameDomains }

// read returns the entries of a declaration, and a cut for each one that cannot be
// granted.
func (c CSP) read() (entries []entry, cuts []Cut) {
	for _, list := range c.lists() {
		for _, text := range list.entries {
			d, err := parseDomain(text)
			if err == nil && d.isWebSocket() && list.field != connectDomains {
				err = errors.New("a WebSocket belongs in " + connectDomains)
			}
			switch e := (entry{list.field, text, d}); {
			case err != nil:
				cuts = append(cuts, Cut{list.field, text, err.Error()})
			case !slices.Contains(entries, e):
				entries = append(entries, e)
			}
		}
	}
	return entries, cuts
}

// csp returns the entries as a declaration.
func csp(entries []entry) CSP {
	var c CSP
	for _, e := range entries {
		list := c.list(e.field)
		*list = append(*list, e.text)
	}
	return c
}
