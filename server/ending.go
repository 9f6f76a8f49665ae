package server

import (
	"fmt"
	"net/http"
)

const codeEnding = "ending"

// End begins the server's end: each stream ends after a last event that says so,
// requests that are being answered are answered, and those that come from now on
// are refused with 503, as /healthz says, too. The sandboxes stay what they are,
// and are in memory alone. There is no way back.
//
// [Server.Serve] does this when its context ends. Who mounts the server in an
// [http.Server] of their own gives it to [http.Server.RegisterOnShutdown],
// because [http.Server.Shutdown] waits for streams and would wait for ever.
func (s *Server) End() { s.registry.End() }

// refuseEnding answers a request that came too late.
func refuseEnding(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprint(w, "This server is ending. Try again when it has been started anew.\n\nBellglass: "+codeEnding+"\n")
}
