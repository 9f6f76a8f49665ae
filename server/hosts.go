package server

import (
	"slices"
	"strings"
	"unicode"
)

// A place is what a Host header names.
type place uint8

const (
	unknownHost place = iota
	hostPlace
	hostAlias // the host page under a name that cannot embed
	outerPlace
	innerPlace
	proxyPlace // the port of the MCP Apps proxy
)

// lookup finds what a Host header names; for an inner origin also the id. The
// comparison is exact but for case: a trailing dot, another port or a missing
// one is another host.
func (c *Config) lookup(header string) (place, string) {
	// strings.ToLower would make an i of "İ" and a k of the Kelvin sign.
	if !isASCII(header) {
		return unknownHost, ""
	}
	host, found := strings.CutSuffix(strings.ToLower(header), c.public.port)
	switch {
	case c.isProxyHost(header):
		return proxyPlace, ""
	case !found:
		return unknownHost, ""
	case slices.Contains(c.public.pages(), host):
		return hostPlace, ""
	case c.public.local() && host == ipv6Loopback:
		return hostAlias, ""
	case host == c.OuterHost:
		return outerPlace, ""
	}
	before, after, _ := strings.Cut(c.InnerHost, "{id}")
	id, found := strings.CutPrefix(host, before)
	if !found {
		return unknownHost, ""
	}
	if id, found = strings.CutSuffix(id, after); !found || !IsID(id) {
		return unknownHost, ""
	}
	return innerPlace, id
}

// placeOf is lookup without the id.
func (c *Config) placeOf(header string) place {
	where, _ := c.lookup(header)
	return where
}

// Owns reports whether a Host header names the outer frame, a sandbox or the port
// [Config.MCPPort]. Who mounts the server beside pages of their own gives it each of these requests,
// whatever its path, and need not give it any other: the host page's names are
// their own then. Their pages may embed sandboxes if they are at [Config.PublicURL], or named
// in [Config.Embedders].
func (s *Server) Owns(host string) bool {
	where, _ := s.config.lookup(host)
	return where == outerPlace || where == innerPlace || where == proxyPlace
}

// inner is the origin of the sandbox with the id.
func (c *Config) inner(id string) string {
	return c.origin(strings.Replace(c.InnerHost, "{id}", id, 1))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII })
}
