package btcp

import (
	"net/url"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// Network returns what the grant opens of a policy. No service worker sees isolated
// code, so Network uses only rules that the browser's own policies enforce exactly. It
// uses no rule of a policy with a ceiling, which may narrow any of them.
func (g Grant) Network(policy *rules.Policy) firewall.Network {
	var network firewall.Network
	if policy == nil || slices.ContainsFunc(policy.Layers, func(l rules.Layer) bool { return l.Ceiling }) {
		return network
	}
	reporter := rules.NewReporter(policy)
	for i := range policy.Rules {
		report := reporter.Report(i)
		if report.Action != rules.Allow || report.EnforcedBy != rules.EnforcedByBrowser {
			continue
		}
		for _, source := range report.Sources {
			if source.Dropped || source.WidenedSource != "" || source.WidenedPattern != "" || !slices.Contains(source.Directives, "connect-src") {
				continue
			}
			to := g.fetch
			if strings.HasPrefix(source.Target, "ws") {
				to = g.webSocket
			}
			csp, patterns := to.narrow(source)
			network.Sources = append(network.Sources, csp...)
			network.Patterns = append(network.Patterns, patterns...)
		}
	}
	return network
}

// narrow returns the part of a source that is open.
func (r reach) narrow(source rules.RuleSource) (csp, patterns []string) {
	if r.all {
		return []string{source.CSP}, []string{source.Pattern}
	}
	for _, origin := range r.origins {
		switch {
		case isOf(source.Target, origin):
			csp, patterns = append(csp, source.CSP), append(patterns, source.Pattern)
		case isBelow(source.Target, origin):
			csp, patterns = append(csp, origin), append(patterns, connection(origin)+"/*")
		}
	}
	return csp, patterns
}

// isOf reports whether everything that the target names belongs to the origin.
func isOf(target, origin string) bool {
	return target == origin || strings.HasPrefix(target, origin+"/")
}

// isBelow reports whether a target without a path, which names all hosts below one,
// includes the whole origin.
func isBelow(target, origin string) bool {
	t, err := url.Parse(target)
	if err != nil || t.Path != "" {
		return false
	}
	o, err := url.Parse(origin)
	parent, below := strings.CutPrefix(t.Hostname(), "*")
	return err == nil && below && !strings.Contains(parent, "*") && t.Scheme == o.Scheme && t.Port() == o.Port() && strings.HasSuffix(o.Hostname(), parent)
}

// connection returns the origin in the form of a Connection-Allowlist, where a
// WebSocket is the HTTP request that opens it.
func connection(origin string) string {
	if rest, found := strings.CutPrefix(origin, "ws"); found {
		return "http" + rest
	}
	return origin
}
