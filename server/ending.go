package server

import (
	"fmt"
	"net/http"
)

const codeEnding = "ending"

// End begins to end the server. Each stream ends after a last event that says so. Requests in
// progress are answered. New requests get 503, and so does /healthz. The sandboxes stay as
// they are, but they exist only in memory. End cannot be undone.
//
// [Server.Serve] calls End when its context is done. If you mount the server in your own
// [http.Server], call its [http.Server.RegisterOnShutdown] with End: [http.Server.Shutdown]
// waits for streams, and would otherwise wait forever.
func (s *Server) End() { s.registry.End() }

// refuseEnding answers a request that arrives after End.
func refuseEnding(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprint(w, "This server is shutting down. Try again when it has restarted.\n\nBellglass: "+codeEnding+"\n")
}
