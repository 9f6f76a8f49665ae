package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
)

// Some MCP hosts have a fixed address for their sandbox proxy: the specification's reference
// host frames http://localhost:8081/sandbox.html. This port redirects the frame to the proxy,
// so the outer frame always has its own origin.

// checkProxy checks the configuration of the proxy apart from the operator's options.
func (c *Config) checkProxy() error {
	const leastKey = 32 // bytes, the output length of HMAC-SHA-256 (RFC 2104, section 3)
	switch {
	case c.MCPApps == nil && (c.MCPPort != 0 || c.MCPKey != nil):
		return errors.New("server: MCPPort and MCPKey are for a server with MCPApps")
	case c.MCPPort < 0 || c.MCPPort > 65535:
		return fmt.Errorf("server: the port %d of the MCP Apps proxy is not between 1 and 65535", c.MCPPort)
	case c.MCPPort != 0 && c.public.port == ":"+strconv.Itoa(c.MCPPort):
		return fmt.Errorf("server: the port %d of the MCP Apps proxy is the public URL's own; choose another one", c.MCPPort)
	case c.MCPKey != nil && len(c.MCPKey) < leastKey:
		return fmt.Errorf("server: the key for the origins of MCP Apps has %d bytes; at least %d are needed", len(c.MCPKey), leastKey)
	}
	return nil
}

// isProxyHost reports whether a Host header is a loopback name with [Config.MCPPort]. The name
// of a web page does not count, even if it resolves to this machine.
func (c *Config) isProxyHost(header string) bool {
	name, found := strings.CutSuffix(strings.ToLower(header), ":"+strconv.Itoa(c.MCPPort))
	if c.MCPPort == 0 || !found {
		return false
	}
	if address, bracketed := strings.CutPrefix(name, "["); bracketed {
		addr, err := netip.ParseAddr(strings.TrimSuffix(address, "]"))
		return err == nil && addr.IsLoopback() && name == "["+addr.String()+"]"
	}
	return IsLoopbackName(name) && checkHostName(name) == nil
}

// proxyPortTable returns the table of [Config.MCPPort].
func (s *Server) proxyPortTable() *table {
	var rows []route
	for _, path := range proxyPaths {
		rows = append(rows, s.framedPage(path, firewall.Refusal, s.redirectToProxy)...)
	}
	return &table{name: "proxy", rows: append(rows, notFound)}
}

// redirectToProxy redirects a frame to the same path and query at the outer origin.
func (s *Server) redirectToProxy(c echo.Context) error {
	r := c.Request()
	address := s.outerOrigin + r.URL.Path
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	// The Referrer-Policy of a redirect applies to the next request (Fetch, section 4.4), and
	// the proxy must learn which page frames it.
	c.Response().Header().Del("Referrer-Policy")
	return c.Redirect(http.StatusSeeOther, address)
}
