package server

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Names from the configuration become part of every policy header, where a ";" would begin
// another directive and a "," another policy. They are also compared with names that browsers
// send. So the server accepts only the spelling that browsers use, and corrects nothing.

// checkHostName returns nil for an IPv4 address, or for a host name of letters, digits,
// hyphens, and underscores in lower case.
func checkHostName(name string) error {
	const most = 253 // bytes: RFC 1035, section 2.3.4, as text
	if len(name) > most {
		return fmt.Errorf("it has %d characters, and a host name has at most %d", len(name), most)
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if err := checkLabel(label); err != nil {
			return err
		}
	}
	// The last label decides whether a browser parses the name as an IPv4 address (URL,
	// section 3.5).
	if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
		if addr, err := netip.ParseAddr(name); err != nil || !addr.Is4() {
			return fmt.Errorf("its last part is a number, and it is no IPv4 address such as 127.0.0.1")
		}
	}
	return nil
}

func checkLabel(label string) error {
	const most = 63 // bytes: RFC 1035, section 2.3.4
	switch {
	case label == "":
		return fmt.Errorf("it has an empty part: it begins or ends with a dot, or has two in a row")
	case len(label) > most:
		return fmt.Errorf("the part %.20s… has %d characters, and one has at most %d", label, len(label), most)
	}
	for _, c := range label {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		case c >= 'A' && c <= 'Z':
			return fmt.Errorf("it has upper-case letters; browsers write host names in lower case")
		case c >= 0x80:
			return fmt.Errorf("%q is no ASCII character; write the name as browsers send it, beginning with xn--", c)
		default:
			return fmt.Errorf("%q cannot stand in a host name", c)
		}
	}
	return nil
}

// checkOrigin returns nil for an origin as a browser serializes it (HTML, section 7.1.1): a
// scheme, a host in lower case, and no port if it is the scheme's default.
func checkOrigin(text string) error {
	scheme, authority, found := strings.Cut(text, "://")
	if !found || scheme != insecure && scheme != secure {
		return fmt.Errorf("it does not begin with http or https and ://")
	}
	if strings.Contains(authority, "[") {
		return fmt.Errorf("it is an IPv6 address, which a Content-Security-Policy cannot name; open that page by a host name, such as localhost")
	}
	host, port, hasPort := strings.Cut(authority, ":")
	if err := checkHostName(host); err != nil {
		return err
	}
	if !hasPort {
		return nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 || strconv.FormatUint(number, 10) != port {
		return fmt.Errorf("%.20q is not a port between 1 and 65535", port)
	}
	if scheme == insecure && port == "80" || scheme == secure && port == "443" {
		return fmt.Errorf("browsers leave out :%s, which is the scheme's own port; leave it out too", port)
	}
	return nil
}

// checkNames checks the host names of the sandboxes and of the outer frame.
func (c *Config) checkNames() error {
	label, _, dotted := strings.Cut(c.InnerHost, ".")
	if strings.Count(c.InnerHost, "{id}") != 1 || !strings.Contains(label, "{id}") || !dotted {
		return fmt.Errorf("server: the inner host template %q must hold {id} once, in its first label, and have a dot after it", c.InnerHost)
	}
	// Letters replace the id, which has the same length.
	if err := checkHostName(strings.Replace(c.InnerHost, "{id}", strings.Repeat("a", idLength), 1)); err != nil {
		return fmt.Errorf("server: the inner host template %q is not one of a host name: %w", c.InnerHost, err)
	}
	if err := checkHostName(c.OuterHost); err != nil {
		return fmt.Errorf("server: the outer host %q is not a host name: %w", c.OuterHost, err)
	}
	return nil
}

// checkEmbedder returns the URL of an embedder's origin. It rejects our own origins. The outer
// frame runs nothing that could embed a sandbox, and a sandbox runs arbitrary code.
func (c *Config) checkEmbedder(text string) (*url.URL, error) {
	if err := checkOrigin(text); err != nil {
		return nil, fmt.Errorf("server: embedder %q is not an origin such as https://docs.example.com: %w", text, err)
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("server: embedder %q: %w", text, err)
	}
	if where, _ := c.lookup(u.Host); where == outerHost || where == innerHost || where == proxyHost {
		return nil, fmt.Errorf("server: embedder %q is the outer frame's, a sandbox's or the MCP Apps proxy's own origin; name the page that shows the outer frame", text)
	}
	return u, nil
}
