package server

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/packages"
)

// A Config configures a [Server]. Its zero value is usable.
type Config struct {
	// PublicURL is the origin at which browsers find the host page: scheme, host, and port.
	// All other origins have the same scheme and port. The server may listen elsewhere, such
	// as behind a proxy that terminates TLS and keeps Host. A loopback name stands for both
	// localhost and 127.0.0.1. Any other name needs https. Default "http://localhost:3333".
	// See [Listeners.URL].
	PublicURL string
	// InnerHost is the template of the sandboxes' host names. Its first label is {id} or
	// contains it. Default "{id}.sandbox.localhost" if PublicURL is a loopback name. Otherwise
	// it is required.
	InnerHost string
	// OuterHost is the outer frame's host name. Default "sandbox.localhost" if PublicURL is a
	// loopback name. Otherwise it is required.
	OuterHost string
	// Embedders are further origins whose pages may embed a sandbox. The host page always may.
	// An entry with a loopback host stands for both localhost and 127.0.0.1.
	Embedders []string
	// AllowSharedDomain accepts that a page which embeds sandboxes has the same registrable
	// domain as the sandboxes. Their code can then read and set the page's cookies. See
	// docs/threat-model.md. Without AllowSharedDomain such a configuration is rejected.
	AllowSharedDomain bool
	// AllowRemote accepts clients on other machines. Without it, [Server.Serve] rejects
	// listeners that are not on a loopback address, and the handler refuses requests that
	// arrive at such an address. [RemoteError] describes what would be exposed. A reverse
	// proxy on this machine does not need AllowRemote.
	AllowRemote bool
	// Version is shown on the host page.
	Version string
	// SelfTest offers /selftest on the host page's origin. It runs hostile code in the
	// visitor's browser, against a canary on this machine. It needs a loopback address:
	// elsewhere the visitor's browser is not on this machine.
	SelfTest bool
	// Packages says how the server fetches the packages that createSandbox names. Default: it
	// rejects requests with packages.
	Packages *packages.Options
	// MCPApps makes the outer origin a sandbox proxy for MCP Apps: an embedder's page may run
	// an app in a new sandbox. Default: not offered.
	MCPApps *mcpapps.Options
	// MCPPort is a second port for the proxy, for hosts with a fixed address such as
	// http://localhost:8081/sandbox.html. At any loopback name, this port redirects requests
	// for the proxy's paths to [Server.ProxyURL], and serves nothing else. The caller listens
	// on it ([Listeners.Add]). Default: none.
	MCPPort int
	// MCPKey derives the origins of apps whose hosts pass domain in the proxy's address. It is
	// a secret of at least 32 random bytes. A later server with the same key,
	// [Config.PublicURL], and host names has the same origins. Default: each view gets a new
	// origin.
	MCPKey []byte
	// BTCP makes the outer origin a sandbox for BTCP clients: an embedder's page may run tools
	// in a new sandbox. Default: not offered.
	BTCP *btcp.Options
	// Tokens are the tokens that the HTTP API accepts, in addition to the server's own
	// ([Server.Token]). Each has 16 to 256 letters, digits, and - . _ ~ + / with = at the end.
	Tokens []string
	// Live makes the host page turn live update on: the view shows each change of the files by
	// itself.
	Live bool
	// Limits bound the resources that hostile code can use. Each has a default.
	Limits Limits
	// Log receives one line for each event, up to the limit LogLines. Default: none.
	Log *slog.Logger
	// Defenses is for the positive controls of tests. See package firewalltest.
	Defenses firewall.Defenses

	public address // the parsed PublicURL
}

// loopback are the names by which a browser reaches this machine. To a browser they are three
// different origins. A page at the third cannot be allowed to embed sandboxes, because a CSP
// source cannot name an IPv6 address (CSP Level 3, section 2.3.1). Chromium drops http://[::1]
// from frame-ancestors with an error. So the server redirects visitors of http://[::1] to
// http://localhost.
var (
	loopback   = []string{"localhost", "127.0.0.1", ipv6Loopback}
	embeddable = []string{"localhost", "127.0.0.1"}
)

const ipv6Loopback = "[::1]"

func (c *Config) setDefaults() error {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.PublicURL == "" {
		c.PublicURL = localURL(insecure, defaultPort)
	}
	var err error
	if c.public, err = readAddress(c.PublicURL); err != nil {
		return err
	}
	if err := c.setHosts(); err != nil {
		return err
	}
	if c.SelfTest && (c.public.scheme != insecure || c.needsToken()) {
		return errors.New("server: the self-test runs over http on this machine alone; leave it out (--no-selftest) for a server with TLS or for other machines")
	}
	if err := c.checkTokens(); err != nil {
		return err
	}
	if c.BTCP != nil {
		if err := c.BTCP.Check(); err != nil {
			return fmt.Errorf("server: %w", err)
		}
	}
	if err := c.checkProxy(); err != nil {
		return err
	}
	if c.MCPApps != nil {
		if _, err := mcpapps.Compile(mcpapps.CSP{}, *c.MCPApps); err != nil {
			return fmt.Errorf("server: %w", err)
		}
	}
	return c.Limits.setDefaults()
}

// setHosts sets the host names of the sandboxes and of the outer frame. It has defaults only
// for localhost: everybody has the names below it.
func (c *Config) setHosts() error {
	if c.public.local() {
		c.InnerHost = cmp.Or(c.InnerHost, "{id}.sandbox.localhost")
		c.OuterHost = cmp.Or(c.OuterHost, "sandbox.localhost")
	}
	if c.InnerHost == "" || c.OuterHost == "" {
		return fmt.Errorf("server: for the public URL %s, the host names of the outer frame and of the sandboxes have to be said: such as --outer-host sandbox.example.net and "+
			"--inner-host {id}.sandbox.example.net, on a domain that nothing else has (in Go, Config.OuterHost and Config.InnerHost)", c.PublicURL)
	}
	if err := c.checkNames(); err != nil {
		return err
	}
	if slices.Contains(c.public.pages(), c.OuterHost) || slices.Contains(loopback, c.OuterHost) {
		return fmt.Errorf("server: the outer host %q is the host page's own; it must be another origin", c.OuterHost)
	}
	for _, host := range []string{c.OuterHost, strings.Replace(c.InnerHost, "{id}", "id", 1)} {
		if err := c.public.checkSecure(host); err != nil {
			return err
		}
	}
	return nil
}

// OffersSelfTest reports whether [Config.SelfTest] is possible with these addresses.
func (c Config) OffersSelfTest() bool {
	c.SelfTest = true
	return c.setDefaults() == nil
}

// origin returns the serialized origin of a host name of this server.
func (c *Config) origin(host string) string { return c.public.origin(host) }

// embedders expands the configured embedders and adds the host page's aliases. It fails if one
// of them shares cookies with the sandboxes.
func (c *Config) embedders() ([]string, error) {
	var all []string
	add := func(origin string) {
		if !slices.Contains(all, origin) {
			all = append(all, origin)
		}
	}
	for _, name := range c.public.pages() {
		add(c.origin(name))
	}
	for _, entry := range c.Embedders {
		u, err := c.checkEmbedder(entry)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(embeddable, u.Hostname()) {
			add(entry)
			continue
		}
		for _, name := range embeddable {
			host := name
			if port := u.Port(); port != "" {
				host = net.JoinHostPort(name, port)
			}
			add(u.Scheme + "://" + host)
		}
	}
	return all, c.checkDomains()
}
