package firewall

import (
	"slices"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// A Network is what an isolated document may reach, as sources of a Content-Security-Policy
// and as the equivalent patterns of a Connection-Allowlist. The zero value allows nothing.
type Network struct{ Sources, Patterns []string }

// isolatedCSP returns the policy of a document without an origin. No service worker controls
// such a document. So the policy does not contain 'self', and it opens only what the browser
// alone enforces. The document loads the code that it runs from blob: URLs.
func (f *Firewall) isolatedCSP(s Site) csp {
	none := []string{"'none'"}
	scripts := []string{"blob:"}
	if hash := s.Inline[Isolated].Script; hash != "" {
		scripts = append(scripts, "'"+hash+"'")
	}
	granted := slices.DeleteFunc(slices.Clone(f.Policy().Scripts), func(script rules.Script) bool {
		return script != rules.ScriptEval && script != rules.ScriptWasm
	})
	scripts = append(scripts, browser.ScriptSources(granted)["script-src"]...)
	connect := s.Network.Sources
	if len(connect) == 0 {
		connect = none
	}
	return csp{
		{"default-src", none},
		{"script-src", scripts},
		{"style-src", []string{"'unsafe-inline'"}},
		{"img-src", []string{"data:", "blob:"}},
		{"connect-src", connect},
		{"worker-src", []string{"blob:"}},
		{"base-uri", none},
		{"form-action", none},
		{"frame-ancestors", append([]string{s.Outer}, s.Embedders...)},
		{"sandbox", []string{"allow-scripts"}},
	}
}
