package server

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Cookies know no origin: a page can set and read those of every name up to its
// registrable domain, on any port. So code in a sandbox that shares a registrable
// domain with an app reads and sets the app's cookies, and enough of them make the
// app unreachable. The sandboxes may share one with the outer frame and with each
// other: nothing of ours reads a cookie.
//
// Below localhost each label is a registrable domain, since the public suffix list
// does not have it. Chromium 156, Firefox 153 and WebKitGTK 2.50 agree: they take no
// cookie for localhost from a page of x.sandbox.localhost, and one for sandbox.localhost.

// registrable is the name up to which pages of a host can set cookies. An IP
// address and a public suffix have no names above them.
func registrable(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// checkDomains refuses a domain of the sandboxes that the host page or an embedder
// has too, unless that is known.
func (c *Config) checkDomains() error {
	page, ours := c.sharer()
	if page == "" || c.AllowSharedDomain {
		return nil
	}
	return fmt.Errorf("server: %s and %s share the registrable domain %s. Code in a sandbox could read and set the app's cookies there, and make the app "+
		"unreachable with too many. Give the sandboxes a domain of their own, or accept this with --allow-shared-domain (in Go, Config.AllowSharedDomain)",
		page, ours, registrable(page))
}

// sharer returns the name of the host page or an embedder that shares a registrable
// domain with the outer host or the sandboxes' template, and which of these; empty
// if none does.
func (c *Config) sharer() (page, ours string) {
	pages := c.public.pages()
	for _, embedder := range c.Embedders {
		if u, err := url.Parse(embedder); err == nil {
			pages = append(pages, u.Hostname())
		}
	}
	for _, ours := range []string{c.OuterHost, c.InnerHost} {
		domain := registrable(strings.Replace(ours, "{id}", "id", 1))
		for _, page := range pages {
			if registrable(page) == domain {
				return page, ours
			}
		}
	}
	return "", ""
}

// SharedDomain returns the registrable domain that all sandboxes have in common, up to which
// the code of one can set cookies that the others get. It is empty if each has its own.
func (o Origins) SharedDomain() string {
	host := hostOf(o.Inner)
	one, other := registrable(strings.Replace(host, "{id}", "a", 1)), registrable(strings.Replace(host, "{id}", "b", 1))
	if one != other {
		return ""
	}
	return one
}
