package server

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Cookies ignore origins. A page can read and set the cookies of every name up to its
// registrable domain, on any port. So code in a sandbox that shares a registrable domain with
// an app can read and set the app's cookies, and can make the app unreachable with too many.
// The sandboxes may share a domain with the outer frame and with each other, because nothing
// of ours reads a cookie.
//
// Below localhost each label is a registrable domain, since the public suffix list does not
// contain localhost. Chromium 156, Firefox 153, and WebKitGTK 2.50 agree. From a page of
// x.sandbox.localhost they accept no cookie for localhost, but one for sandbox.localhost.

// registrable returns the highest name for which pages of a host can set cookies. For an IP
// address and for a public suffix, that is the host itself.
func registrable(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// checkDomains rejects sandboxes that share a registrable domain with the host page or an
// embedder, unless [Config.AllowSharedDomain] is set.
func (c *Config) checkDomains() error {
	page, ours := c.sharer()
	if page == "" || c.AllowSharedDomain {
		return nil
	}
	return fmt.Errorf("server: %s and %s share the registrable domain %s. Code in a sandbox could read and set the app's cookies there, and make the app "+
		"unreachable with too many. Give the sandboxes a domain of their own, or accept this with --allow-shared-domain (in Go, Config.AllowSharedDomain)",
		page, ours, registrable(page))
}

// sharer returns a host page's or embedder's name that shares a registrable domain with the
// outer host or the sandboxes' template, and which of these two. It returns "" if none does.
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

// SharedDomain returns the registrable domain that all sandboxes share, or "" if each has its
// own. If they share one, code in a sandbox can set cookies that the other sandboxes receive.
func (o Origins) SharedDomain() string {
	host := hostOf(o.Inner)
	one, other := registrable(strings.Replace(host, "{id}", "a", 1)), registrable(strings.Replace(host, "{id}", "b", 1))
	if one != other {
		return ""
	}
	return one
}
