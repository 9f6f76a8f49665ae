package firewall

import (
	"slices"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// A Network is what an isolated document may reach: sources of a
// Content-Security-Policy and the same as patterns of a Connection-Allowlist. The zero
// value is nothing.
type Network struct{ Sources, Patterns []string }

// isolatedCSP is the policy of a document without an origin, which no service worker
// controls. So 'self' is nowhere in it, and it opens nothing but what the browser holds
// alone. blob: is how the document loads the code that it runs.
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
