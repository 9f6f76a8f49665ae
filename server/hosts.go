package server

import (
	"slices"
	"strings"
	"unicode"
)

// A hostKind is what a Host header can name.
type hostKind uint8

const (
	unknownHost hostKind = iota
	pageHost
	hostAlias // a name of the host page that cannot embed sandboxes
	outerHost
	innerHost
	proxyHost // the port of the MCP Apps proxy
)

// lookup returns what a Host header names, and the id if that is an inner origin. Names must
// match exactly except for case. A host with a trailing dot or another port, or without the
// port, is another host.
func (c *Config) lookup(header string) (hostKind, string) {
	// strings.ToLower would turn "İ" into i, and the Kelvin sign into k.
	if !isASCII(header) {
		return unknownHost, ""
	}
	host, found := strings.CutSuffix(strings.ToLower(header), c.public.port)
	switch {
	case c.isProxyHost(header):
		return proxyHost, ""
	case !found:
		return unknownHost, ""
	case slices.Contains(c.public.pages(), host):
		return pageHost, ""
	case c.public.local() && host == ipv6Loopback:
		return hostAlias, ""
	case host == c.OuterHost:
		return outerHost, ""
	}
	before, after, _ := strings.Cut(c.InnerHost, "{id}")
	id, found := strings.CutPrefix(host, before)
	if !found {
		return unknownHost, ""
	}
	if id, found = strings.CutSuffix(id, after); !found || !IsID(id) {
		return unknownHost, ""
	}
	return innerHost, id
}

// kindOf is lookup without the id.
func (c *Config) kindOf(header string) hostKind {
	where, _ := c.lookup(header)
	return where
}

// Owns reports whether a Host header names the outer frame, a sandbox, or the port
// [Config.MCPPort]. If you mount the server beside your own pages, pass it every request with
// such a host, whatever the path. You need not pass it any others: the host page's names are
// then yours. Your pages may embed sandboxes if they are at [Config.PublicURL] or in
// [Config.Embedders].
func (s *Server) Owns(host string) bool {
	where, _ := s.config.lookup(host)
	return where == outerHost || where == innerHost || where == proxyHost
}

// inner returns the origin of the sandbox with this id.
func (c *Config) inner(id string) string {
	return c.origin(strings.Replace(c.InnerHost, "{id}", id, 1))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII })
}
