package btcp

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Grant is what capabilities open. The zero value opens nothing.
type Grant struct {
	fetch, webSocket reach
	methods          []string
	needsHost        string // the first capability of which methods come
}

// hostMethods are what the page around the tools does for one that has the capability: to
// write implies to read.
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

// Alone returns a [*CapabilityError] if the grant has a capability that a page around the
// tool would have to serve.
func (g Grant) Alone() error {
	if g.needsHost == "" {
		return nil
	}
	return &CapabilityError{g.needsHost, noHost}
}

// A reach says which of the origins that a policy allows are open.
type reach struct {
	all     bool
	origins []string // as a browser serializes them
}

func (r reach) opens() bool { return r.all || len(r.origins) > 0 }

// unavailable are capabilities of the specification that isolated code cannot have, with
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
	noHost     = "there is no host page that could answer"
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

// ParseCapabilities reads capability names:
//
//   - network:fetch and network:fetch:cross-origin open what the policy allows to fetch.
//   - network:fetch:https://api.example.com opens of that one origin alone.
//   - network:websocket does the same for WebSockets, with wss: or ws: origins.
//   - dom:read, dom:write, storage:local:read and storage:local:write let the tool ask the
//     page around it: see [Grant.Methods].
//
// It returns a [*CapabilityError] for every other name: nothing is granted on a guess.
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

// parseOrigin takes an origin in the one spelling in which browsers write it.
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
		return "", fmt.Errorf("%.100q is no origin", text)
	}
	return text, nil
}

// Hidden returns the globals that the code must not find. The browser's policies hold
// without this: it is what makes an absent capability an absent API.
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
