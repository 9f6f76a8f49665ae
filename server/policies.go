package server

import (
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/selftest"
)

// setPolicies puts the whole policy header set of the response's class on the
// response. It runs before any handler.
func (s *Server) setPolicies(w http.ResponseWriter, r *http.Request, where place) {
	site, fire, sandbox := s.site(), &firewall.Firewall{}, sandboxOf(r) // blocks everything
	if sandbox != nil {
		v := versionOf(r)
		site, fire = sandbox.site(v), v.fire
	}
	if s.pastWorker(r, where) {
		fire = versionOf(r).withoutWorker
	}
	isolated := isolatedOf(r, where, sandbox)
	if isolated != nil {
		site.Network = isolated.grant.Network(fire.Policy())
	}
	if where == hostPlace && s.selfTest != nil {
		site.Controls = s.selfTest.Frames(r.URL.Path)
	}
	class := s.classOf(r, where, sandbox != nil)
	if isolated != nil {
		class = firewall.Isolated
	}
	maps.Copy(w.Header(), fire.Headers(class, site))
	if len(r.Header["Cookie"]) > 0 && s.clears(where) {
		w.Header().Set(clearSiteData, onlyCookies)
	}
}

// clears reports whether a host's answers take away cookies that a request brings.
// We set none; but where sandboxes are named {id}.sandbox.localhost a page of one can
// set one for sandbox.localhost, which the next one, and the outer frame, would get.
// Every view begins with a request for the outer frame, and so without cookies.
//
// A browser clears the cookies of the whole registrable domain (Clear Site Data,
// section 4.1), and nothing else that sandboxes keep. Where an app is known to
// share that domain its users would be logged out, and the cookies stay.
func (s *Server) clears(where place) bool {
	return (where == outerPlace || where == innerPlace) && s.ownCookies && s.config.Defences.Has(firewall.CookieClearing)
}

// site is what all sandboxes' sites have in common.
func (s *Server) site() firewall.Site {
	return firewall.Site{Outer: s.outerOrigin, Embedders: s.embedders, SignIn: s.config.needsToken(), Inline: s.inline, Defences: s.config.Defences}
}

// classOf: what kind of response is this going to be. What is not listed is a
// refusal, the class in which nothing loads; so is what the HTTP API answers.
func (s *Server) classOf(r *http.Request, where place, known bool) firewall.Class {
	path, destination := r.URL.Path, r.Header.Get("Sec-Fetch-Dest")
	switch {
	case respelt(r.URL, where), unlisted(r.URL, where):
		return firewall.Refusal
	case where == hostPlace && isHostPage(path):
		return firewall.HostPage
	case where == hostPlace && selftest.IsPage(path):
		return firewall.SelfTest
	case where == outerPlace && (s.isProxy(path) || s.isToolPage(path)) && s.framed(destination):
		return firewall.Notice
	case !known:
		return firewall.Refusal
	case where == outerPlace && isOuterPage(path) && s.framed(destination):
		return firewall.Outer
	case where != innerPlace:
		return firewall.Refusal
	case s.pastWorker(r, where):
		return firewall.Inner
	case path == protocol.WorkerPath && destination == destServiceWorker:
		return firewall.WorkerScript
	case path == protocol.ClientPath && destination == destScript:
		return firewall.Inner
	case path == protocol.BootPath || isFrame(destination) && (path == protocol.RunPath || !strings.HasPrefix(path, protocol.Prefix)):
		return firewall.Boot
	default:
		return firewall.Refusal
	}
}

// respelt reports whether a path of ours is written in another way than the one
// ("/%73andboxes/…", "/.bellglass%2fsw.js"). Classes go by the path as it is
// decoded and routes by the path as it is written, so of such a path one would
// say another thing than the other. Virtual files may be written in any way.
func respelt(u *url.URL, where place) bool {
	return u.RawPath != "" && (where != innerPlace || strings.HasPrefix(u.Path, protocol.Prefix))
}

// unlisted reports whether a path has an empty segment, as no virtual file's has: it
// can be read as another host's address. The boot page's Connection-Allowlist leaves
// out those that begin with one. A boot page that stood in for it could not load itself again, and what
// comes of [protocol.UnlistedPath] must be an answer, whoever asks.
func unlisted(u *url.URL, where place) bool {
	return where == innerPlace && strings.Contains(u.Path, "//")
}

// oneSpelling refuses the paths that are written in another way.
func oneSpelling(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if respelt(c.Request().URL, hostPlace) {
			return refuse(http.StatusNotFound, "not-found", "There is nothing at this path: no path here has percent-encoded characters.")
		}
		return next(c)
	}
}

// Values of Sec-Fetch-Dest (Fetch, section 3.9; Fetch Metadata, section 2.1).
const (
	destServiceWorker = "serviceworker"
	destScript        = "script"
	destDocument      = "document"
)

func isFrame(destination string) bool { return destination == "iframe" || destination == "frame" }
