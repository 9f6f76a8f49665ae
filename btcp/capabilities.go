package btcp

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Grant is what a set of capabilities opens. The zero value opens nothing.
type Grant struct {
	fetch, webSocket reach
	methods          []string
	needsHost        string // the first capability that adds methods
}

// hostMethods maps a capability to what the page around the tool does for it.
// Permission to write includes permission to read.
var hostMethods = map[string][]string{
	"dom:read":            readDOM,
	"dom:write":           append([]string{"dom.setTextContent", "dom.click"}, readDOM...),
	"storage:local:read":  readStorage,
	"storage:local:write": append([]string{"storage.local.setItem"}, readStorage...),
}

var (
	readDOM     = []string{"dom.querySelector", "dom.querySelectorAll", "dom.getTextContent"}
	readStorage = []string{"storage.local.getItem"}
)

// Methods returns what the tool may ask of the page around it, sorted.
func (g Grant) Methods() []string {
	all := append([]string{}, g.methods...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Alone returns a [*CapabilityError] if the grant includes a capability that only a
// page around the tool could serve.
func (g Grant) Alone() error {
	if g.needsHost == "" {
		return nil
	}
	return &CapabilityError{g.needsHost, noHost}
}

// A reach says which of the origins that a policy allows are open.
type reach struct {
	all     bool
	origins []string // as browsers serialize them
}

func (r reach) opens() bool { return r.all || len(r.origins) > 0 }

// unavailable maps capabilities of the specification that isolated code cannot have to
// the reason.
var unavailable = map[string]string{
	"network:fetch:same-origin":     "isolated code has no origin; name the origin, as in network:fetch:https://api.example.com",
	"network:websocket:same-origin": "isolated code has no origin; name the origin, as in network:websocket:wss://api.example.com",
	"dom:observe":                   noMessages, "dom:shadow": noMessages,
	"storage:session:read": noStorage, "storage:session:write": noStorage,
	"storage:indexed:read": noStorage, "storage:indexed:write": noStorage, "storage:cookie:read": noStorage, "storage:cookie:write": noStorage,
	"clipboard:read": noDevice, "clipboard:write": noDevice, "media:camera": noDevice, "media:microphone": noDevice, "geolocation": noDevice, "notifications": noDevice,
}

const (
	noHost     = "no host page can answer it"
	noMessages = "the specification has no message for it"
	noStorage  = "isolated code has no origin, and so no storage"
	noDevice   = "isolated code gets no permission of the browser"
)

// A CapabilityError names a capability that cannot be granted.
type CapabilityError struct{ Capability, Reason string }

// Error returns the name and the reason.
func (e *CapabilityError) Error() string {
	return fmt.Sprintf("%.100q cannot be granted: %s", e.Capability, e.Reason)
}

// ParseCapabilities parses capability names:
//
//   - network:fetch and network:fetch:cross-origin open everything that the policy
//     allows to be fetched.
//   - network:fetch:https://api.example.com opens only what it allows of that origin.
//   - network:websocket does the same for WebSockets, with wss: or ws: origins.
//   - dom:read, dom:write, storage:local:read and storage:local:write let the tool ask
//     the page around it: see [Grant.Methods].
//
// Any other name is a [*CapabilityError]: nothing is granted on a guess.
func ParseCapabilities(names []string) (Grant, error) {
	var g Grant
	for _, name := range names {
		if reason, found := unavailable[name]; found {
			return Grant{}, &CapabilityError{name, reason}
		}
		if methods, found := hostMethods[name]; found {
			g.methods = append(g.methods, methods...)
			if g.needsHost == "" {
				g.needsHost = name
			}
			continue
		}
		rest, isFetch := strings.CutPrefix(name, "network:fetch")
		to, schemes := &g.fetch, []string{"https", "http"}
		if !isFetch {
			var isSocket bool
			if rest, isSocket = strings.CutPrefix(name, "network:websocket"); !isSocket {
				return Grant{}, &CapabilityError{name, "it is unknown"}
			}
			to, schemes = &g.webSocket, []string{"wss", "ws"}
		}
		if rest == "" || rest == ":cross-origin" {
			to.all = true
			continue
		}
		origin, err := parseOrigin(strings.TrimPrefix(rest, ":"), schemes)
		if err != nil || !strings.HasPrefix(rest, ":") {
			return Grant{}, &CapabilityError{name, fmt.Sprintf("after %s a browser's spelling of an origin is missing, such as %s://api.example.com", strings.TrimSuffix(name, rest), schemes[0])}
		}
		to.origins = append(to.origins, origin)
	}
	return g, nil
}

// parseOrigin accepts an origin only as browsers serialize it.
func parseOrigin(text string, schemes []string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	host := strings.TrimPrefix(text, u.Scheme+"://")
	valid := slices.Contains(schemes, u.Scheme) && u.Scheme+"://"+u.Host == text && u.Hostname() != "" &&
		!strings.ContainsFunc(host, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':')
		})
	if !valid {
		return "", fmt.Errorf("%.100q is not an origin", text)
	}
	return text, nil
}

// Hidden returns the globals to remove before the code runs, so that an absent
// capability is an absent API. The browser's policies do not depend on this.
func (g Grant) Hidden() []string {
	hidden := []string{"RTCPeerConnection", "WebTransport", "localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"}
	if !g.fetch.opens() {
		hidden = append(hidden, "fetch", "fetchLater", "XMLHttpRequest", "EventSource")
	}
	if !g.webSocket.opens() {
		hidden = append(hidden, "WebSocket", "WebSocketStream")
	}
	return hidden
}
