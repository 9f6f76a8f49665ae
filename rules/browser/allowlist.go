package browser

import "strings"

// Allowlist returns the value of a Connection-Allowlist: one inner list of URLPattern strings
// (RFC 9651 and https://wicg.github.io/connection-allowlists/). If self is set, the response's
// own origin comes first.
//
// Only the first list of a header counts, and an invalid list blocks everything, so there is
// always exactly one. It has no parameter that opens anything: redirects=allow would let a
// redirect lead anywhere, and webrtc=allow would let WebRTC out.
func Allowlist(self bool, patterns ...string) string {
	items := make([]string, 0, len(patterns)+1)
	if self {
		items = append(items, "response-origin")
	}
	for _, p := range patterns {
		items = append(items, quoted(p))
	}
	return "(" + strings.Join(items, " ") + ")"
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quoted returns the text as a String of RFC 9651, section 4.1.6.
func quoted(text string) string { return `"` + escapes.Replace(text) + `"` }
