package browser

import "strings"

// Allowlist renders a Connection-Allowlist: one inner list of URLPattern
// strings (RFC 9651 and https://wicg.github.io/connection-allowlists/), after the
// response's own origin if self is set. Only the first list of a header counts and
// an invalid one closes everything, so there is never more than one, and no
// parameter that opens anything: redirects=allow would let a redirect lead
// anywhere, webrtc=allow would let WebRTC out.
func Allowlist(self bool, patterns ...string) string {
	items := make([]string, 0, len(patterns)+1)
	if self {
		items = append(items, "response-origin")
	}
	for _, p := range patterns {
		items = append(items, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p)+`"`)
	}
	return "(" + strings.Join(items, " ") + ")"
}
