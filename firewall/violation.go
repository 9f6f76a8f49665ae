package firewall

import (
	"strings"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// TypeOf returns the request type that a violated directive governs, for the blocked URL. It
// returns "" if no rule can allow such a request. The effective directives of inline code have
// suffixes, such as script-src-elem.
func TypeOf(effectiveDirective, blockedURL string) rules.Type {
	name := strings.TrimSuffix(strings.TrimSuffix(effectiveDirective, "-elem"), "-attr")
	if name == "connect-src" {
		if strings.HasPrefix(blockedURL, "ws:") || strings.HasPrefix(blockedURL, "wss:") {
			return rules.TypeWebSocket
		}
		return rules.TypeFetch
	}
	for _, t := range rules.Types {
		if browser.Directive(t) == name {
			return t
		}
	}
	return ""
}
