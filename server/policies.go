package server

import (
	"maps"
	"net/http"

	"github.com/bellglass/bellglass/firewall"
)

// setPolicies sets all policy headers of the row's class on the response. It runs before any
// handler.
func (s *Server) setPolicies(x *exchange, r *http.Request, row *route) {
	site, fire := s.site(), &firewall.Firewall{} // blocks everything
	if x.sandbox != nil {
		site, fire = x.sandbox.site(x.version), x.version.Firewall
	}
	if row.withoutWorker {
		fire = x.version.WithoutWorker
	}
	if x.isolated != nil {
		site.Network = x.isolated.Grant.Network(fire.Policy())
	}
	if row.controls != nil {
		site.Controls = row.controls(x)
	}
	maps.Copy(x.Header(), fire.Headers(row.class, site))
	if len(r.Header["Cookie"]) > 0 && s.clears(x.where) {
		x.Header().Set(clearSiteData, onlyCookies)
	}
}

// clears reports whether responses of a host delete the cookies that a request has. We set no
// cookies. But if sandboxes are named {id}.sandbox.localhost, a sandbox's page can set a
// cookie for sandbox.localhost, and later sandboxes and the outer frame would get it. Every
// view begins with a request for the outer frame, and so starts without cookies.
//
// A browser clears the cookies of the whole registrable domain (Clear Site Data, section 4.1),
// and nothing else that sandboxes store. If an app is known to share that domain, clearing
// would log its users out, so the cookies stay.
func (s *Server) clears(where hostKind) bool {
	return (where == outerHost || where == innerHost) && s.ownCookies && s.config.Defenses.Has(firewall.CookieClearing)
}

// site returns the part of a site that all sandboxes share.
func (s *Server) site() firewall.Site {
	return firewall.Site{Outer: s.outerOrigin, Embedders: s.embedders, SignIn: s.config.needsToken(), Inline: s.inline, Defenses: s.config.Defenses}
}
