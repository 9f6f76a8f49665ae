package firewall

import (
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/browser"
)

// A csp is a Content Security Policy: directives in the order they are sent.
type csp []cspDirective

type cspDirective struct {
	name    string
	sources []string
}

func (c csp) String() string {
	parts := make([]string, 0, len(c))
	for _, d := range c {
		parts = append(parts, strings.Join(append([]string{d.name}, d.sources...), " "))
	}
	return strings.Join(parts, "; ")
}

// sandboxFlags are the sandboxing flags of the view's frame and of every inner response.
// Without allow-popups and allow-top-navigation a page can neither open a tab nor navigate the
// host page.
const sandboxFlags = "allow-scripts allow-same-origin allow-forms"

// innerDirectives lists the directives of an inner document that name sources, in the order in
// which they are sent.
var innerDirectives = []string{
	"default-src", "script-src", "style-src", "img-src", "font-src", "media-src", "connect-src", "worker-src", "frame-src", "manifest-src", "object-src", "base-uri", "form-action",
}

// innerCSP returns the policy of an inner document: the baseline, what the policy's scripts
// open by name, what its rules open, and the client script. worker-src never contains data:. In
// WebKit a SharedWorker made from a data: URL has no policy at all, and no worker sees its requests.
func (f *Firewall) innerCSP(s Site) csp {
	baseline, named, opened := s.baseline(), browser.ScriptSources(f.Policy().Scripts), f.Policy().Browser().Directives
	var policy csp
	for _, name := range innerDirectives {
		sources := slices.Concat(baseline[name], named[name], opened[name])
		// A hash would disable 'unsafe-inline' (CSP Level 3, section 6.7.3.2).
		if script := s.Inline[Inner].Script; script != "" && name == "script-src" && !slices.Contains(sources, "'unsafe-inline'") {
			sources = append(sources, "'"+script+"'")
		}
		if len(sources) == 0 {
			sources = []string{"'none'"}
		}
		policy = append(policy, cspDirective{name, sources})
	}
	policy = append(policy, cspDirective{"frame-ancestors", s.innerAncestors()})
	// A report-to beside report-uri would disable it in Chromium and Firefox.
	if s.Reports != "" {
		policy = append(policy, cspDirective{"report-uri", []string{s.Reports}})
	}
	return append(policy, cspDirective{"sandbox", []string{s.Grants.Sandbox()}})
}

// workerCSP returns the policy of the worker's script. It also stops a redirect before its
// second hop.
func (f *Firewall) workerCSP() csp {
	return csp{{"default-src", []string{"'none'"}}, {"connect-src", append([]string{"'self'"}, f.Policy().Browser().Worker...)}}
}
