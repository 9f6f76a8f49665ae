package server

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// An address is where browsers find the server: the parsed [Config.PublicURL]. Every origin
// gets its scheme and port from here, and so does every header, message, and link.
type address struct {
	scheme string // http or https
	host   string // of the host page
	port   string // with its colon; "" for the scheme's default port
}

const (
	insecure = "http"
	secure   = "https"
)

// defaultPort is the default port of [Config.PublicURL] and of the command serve.
const defaultPort = 3333

// localURL returns the public address of a server on this machine.
func localURL(scheme string, port int) string {
	a := address{scheme: scheme, host: loopback[0]}
	if port != ownPorts[scheme] {
		a.port = ":" + strconv.Itoa(port)
	}
	return a.origin(a.host)
}

var ownPorts = map[string]int{insecure: 80, secure: 443}

// URL returns the [Config.PublicURL] of a server that browsers on this machine reach at the
// port of these listeners.
func (l *Listeners) URL() string {
	if l.secure {
		return localURL(secure, l.port)
	}
	return localURL(insecure, l.port)
}

// PublicURL returns the origin of the host page and of the HTTP API.
func (s *Server) PublicURL() string { return s.config.origin(s.config.public.host) }

// NeedsToken reports whether the host page needs one of [Config.Tokens] or [Server.Token]. It
// does if other machines can reach it.
func (s *Server) NeedsToken() bool { return s.config.needsToken() }

// readAddress parses a public URL. It accepts only the spelling that browsers use for an
// origin.
func readAddress(text string) (address, error) {
	if err := checkOrigin(strings.TrimSuffix(text, "/")); err != nil {
		return address{}, fmt.Errorf("server: the public URL %.200q is not an origin such as https://glass.example.com: %w", text, err)
	}
	scheme, authority, _ := strings.Cut(strings.TrimSuffix(text, "/"), "://")
	host, port, _ := strings.Cut(authority, ":")
	if port != "" {
		port = ":" + port
	}
	a := address{scheme: scheme, host: host, port: port}
	return a, a.checkSecure(host)
}

// checkSecure rejects a host name that browsers would not trust. Without TLS, browsers run
// service workers only at loopback names (Secure Contexts, section 3.1).
func (a address) checkSecure(host string) error {
	if a.scheme == secure || IsLoopbackName(host) {
		return nil
	}
	return fmt.Errorf("server: over http, browsers run no service worker at %s: it is no name of this machine. Use https for the public URL, or names below localhost", host)
}

// origin returns the serialized origin of a host name.
func (a address) origin(host string) string { return a.scheme + "://" + a.authority(host) }

// authority returns the Host header that a browser sends to the origin of a host name.
func (a address) authority(host string) string { return host + a.port }

// pages returns the host names of the host page. Links use the first one. A loopback host has
// several names, so visitors need not care which of them they used.
func (a address) pages() []string {
	if !slices.Contains(embeddable, a.host) {
		return []string{a.host}
	}
	names := []string{a.host}
	for _, name := range embeddable {
		if name != a.host {
			names = append(names, name)
		}
	}
	return names
}

// local reports whether the host page is for browsers on this machine.
func (a address) local() bool { return IsLoopbackName(a.host) }

// IsLoopbackName reports whether a host name always means the browser's own machine. That
// holds for localhost, for names below it (RFC 6761, section 6.3), and for loopback addresses.
func IsLoopbackName(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Origins are the origins of a server. They derive from [Config.PublicURL],
// [Config.OuterHost], and [Config.InnerHost].
type Origins struct {
	Page  string // of the host page and the HTTP API
	Outer string // of the outer frame
	Inner string // of the sandboxes, with {id} in place of the id
	// Embedders are the origins whose pages may show a sandbox. The host page's come first.
	Embedders []string
}

// Origins returns the origins that the configuration results in. It fails if the configuration
// is invalid.
func (c Config) Origins() (Origins, error) {
	if err := c.setDefaults(); err != nil {
		return Origins{}, err
	}
	embedders, err := c.embedders()
	if err != nil {
		return Origins{}, err
	}
	return Origins{Page: c.origin(c.public.host), Outer: c.origin(c.OuterHost), Inner: c.origin(c.InnerHost), Embedders: embedders}, nil
}
