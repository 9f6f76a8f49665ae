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

// Some MCP hosts have the address of their sandbox proxy in their code: the reference host
// of the specification frames http://localhost:8081/sandbox.html. Such a port redirects the
// frame to the proxy, so that the outer frame has its own origin in every case.

// checkProxy checks what is configured for the proxy beside the operator's options.
func (c *Config) checkProxy() error {
	const leastKey = 32 // bytes, as long as what HMAC-SHA-256 makes (RFC 2104, section 3)
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

// isProxyHost reports whether a Host header is a loopback name with [Config.MCPPort]. Names
// of a web page that resolve to this machine are no such names.
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

// proxyPortTable is that of the port.
func (s *Server) proxyPortTable() *table {
	var rows []route
	for _, path := range proxyPaths {
		rows = append(rows, s.framedPage(path, firewall.Refusal, s.redirectToProxy)...)
	}
	return &table{name: "proxy", rows: append(rows, notFound)}
}

// redirectToProxy sends a frame on to the same path and query of the outer origin.
func (s *Server) redirectToProxy(c echo.Context) error {
	r := c.Request()
	address := s.outerOrigin + r.URL.Path
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	// The policy of a redirect holds for the next request (Fetch, section 4.4), and the
	// proxy has to learn who frames it.
	c.Response().Header().Del("Referrer-Policy")
	return c.Redirect(http.StatusSeeOther, address)
}
