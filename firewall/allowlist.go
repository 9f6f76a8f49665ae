package firewall

import "strings"

// allowlist renders a Connection-Allowlist: one inner list of URLPattern
// strings (RFC 9651 and https://wicg.github.io/connection-allowlists/). Only the
// first list of a header counts and an invalid one closes everything, so there
// is never more than one, and no parameter that opens anything: redirects=allow
// would let a redirect lead anywhere, webrtc=allow would let WebRTC out.
func allowlist(self bool, patterns ...string) string {
	items := make([]string, 0, len(patterns)+1)
	if self {
		items = append(items, "response-origin")
	}
	for _, p := range patterns {
		items = append(items, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p)+`"`)
	}
	return "(" + strings.Join(items, " ") + ")"
}

// reporting is the parameter with which a document's ReportingObserver is told what
// its allowlist refuses. The name is that of no endpoint, so nothing is sent.
const reporting = ";report-to=bellglass"
