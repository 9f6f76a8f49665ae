package server

import (
	"maps"
	"net/http"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
)

// setPolicies puts the whole policy header set of the response's class on the
// response. It runs before any handler.
func (s *Server) setPolicies(w http.ResponseWriter, r *http.Request, where place, sandbox *Sandbox) {
	site, fire := s.site(), &firewall.Firewall{} // blocks everything
	if sandbox != nil {
		v, _ := sandbox.now()
		site, fire = sandbox.site(), v.fire
	}
	maps.Copy(w.Header(), fire.Headers(classOf(r, where, sandbox != nil), site))
}

// site is what all sandboxes' sites have in common.
func (s *Server) site() firewall.Site {
	return firewall.Site{Outer: s.outerOrigin, Embedders: s.embedders, Inline: s.inline, Defences: s.config.Defences}
}

// classOf: what kind of response is this going to be. What is not listed is a
// refusal, the class in which nothing loads.
func classOf(r *http.Request, where place, known bool) firewall.Class {
	path, destination := r.URL.Path, r.Header.Get("Sec-Fetch-Dest")
	switch {
	case where == hostPlace && isHostPage(path):
		return firewall.HostPage
	case !known:
		return firewall.Refusal
	case where == outerPlace && isOuterPage(path):
		return firewall.Outer
	case where != innerPlace:
		return firewall.Refusal
	case path == protocol.WorkerPath && destination == destServiceWorker:
		return firewall.WorkerScript
	case path == protocol.ProbePath && isFrame(destination):
		return firewall.Probe
	case path == protocol.ClientPath && destination == destScript:
		return firewall.Inner
	case path == protocol.BootPath || isFrame(destination) && !strings.HasPrefix(path, protocol.Prefix):
		return firewall.Boot
	default:
		return firewall.Refusal
	}
}

// Values of Sec-Fetch-Dest (Fetch, section 3.9; Fetch Metadata, section 2.1).
const (
	destServiceWorker = "serviceworker"
	destScript        = "script"
	destDocument      = "document"
)

func isFrame(destination string) bool { return destination == "iframe" || destination == "frame" }
