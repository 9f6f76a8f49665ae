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
)

// Config says where a server lives. Its zero value is usable.
type Config struct {
	// PublicURL is the origin at which browsers find the host page: scheme, host and port.
	// All other origins have its scheme and its port. The server may listen elsewhere, such
	// as behind a proxy that ends TLS and keeps Host. A loopback name stands for
	// localhost and 127.0.0.1; any other has to be https. Default "http://localhost:3333";
	// see [Listeners.URL].
	PublicURL string
	// InnerHost is the template of the sandboxes' host names, with {id} as, or
	// in, its first label. Default "{id}.sandbox.localhost" where PublicURL is a loopback
	// name, and required elsewhere.
	InnerHost string
	// OuterHost is the outer frame's host name. Default "sandbox.localhost" where PublicURL
	// is a loopback name, and required elsewhere.
	OuterHost string
	// Embedders are further origins whose pages may embed a sandbox. The host
	// page is always one. An entry that names a loopback host stands for
	// localhost and 127.0.0.1.
	Embedders []string
	// AllowSharedDomain says it is known that a page which embeds sandboxes has their
	// registrable domain, and so that their code can read and set its cookies. See
	// docs/threat-model.md. Without it such a configuration is rejected.
	AllowSharedDomain bool
	// AllowRemote lets clients on other machines in. Without it [Server.Serve]
	// refuses a listener that is not on a loopback address, and the handler refuses
	// a request that arrives at such an address. See [RemoteError] for what is
	// exposed. A reverse proxy on this machine does not need it.
	AllowRemote bool
	// Version is shown on the host page.
	Version string
	// SelfTest offers /selftest on the host page's origin: hostile code, run in the
	// visitor's browser against a canary on this machine. It is for servers on a
	// loopback address: elsewhere that browser is not on this machine.
	SelfTest bool
	// MCPApps makes the outer origin a sandbox proxy of MCP Apps: the page of an embedder
	// may run an app in a new sandbox. Default: it may not.
	MCPApps *mcpapps.Options
	// MCPPort is a further port for the proxy. Requests for its paths at any loopback name
	// on this port are redirected to [Server.ProxyURL]; it answers nothing else. It is for
	// hosts with a fixed address such as http://localhost:8081/sandbox.html. The caller
	// listens on it ([Listeners.Add]). Default: none.
	MCPPort int
	// MCPKey derives the origins of apps whose hosts pass domain in the proxy's address:
	// at least 32 random bytes, and a secret. With the same key, [Config.PublicURL] and names a
	// later server has the same origins. Default: each view gets a new origin.
	MCPKey []byte
	// BTCP makes the outer origin a sandbox for clients of BTCP: the page of an embedder
	// may run tools in a new sandbox. Default: it may not.
	BTCP *btcp.Options
	// Tokens are those that the HTTP API takes, beside one of the server's own; see
	// [Server.Token]. Each has 16 to 256 letters, digits and - . _ ~ + / with = at
	// the end.
	Tokens []string
	// Limits bound what hostile code can take. Each has a default.
	Limits Limits
	// Log receives one line for each thing that happens, up to the limit LogLines.
	// Default: none.
	Log *slog.Logger
	// Defences is for positive controls of tests, see package firewalltest.
	Defences firewall.Defences

	public address // PublicURL, read
}

// loopback are the names by which a browser reaches this machine. To a browser
// they are three different origins. A CSP source cannot name an IPv6 address
// (CSP Level 3, section 2.3.1; Chromium drops http://[::1] from frame-ancestors
// with an error), so a page at the third cannot be allowed to embed anything:
// the server sends a visitor of http://[::1] on to http://localhost.
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

// setHosts sets the host names of the sandboxes and of the outer frame. Only below localhost
// are there names that everybody has.
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

// OffersSelfTest reports whether the addresses allow [Config.SelfTest].
func (c Config) OffersSelfTest() bool {
	c.SelfTest = true
	return c.setDefaults() == nil
}

// origin is the serialised origin of a host name of this server.
func (c *Config) origin(host string) string { return c.public.origin(host) }

// embedders expands the configured embedders and adds the host page's aliases. None
// may share cookies with the sandboxes.
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
