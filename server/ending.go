package server

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/bellglass/bellglass/protocol"
)

// ErrEnding is of a sandbox that is asked for while the server is ending.
var ErrEnding = errors.New("the server is ending")

const codeEnding = "ending"

// End begins the server's end: each stream ends after a last event that says so,
// requests that are being answered are answered, and those that come from now on
// are refused with 503, as /healthz says, too. The sandboxes stay what they are,
// and are in memory alone. There is no way back.
//
// [Server.Serve] does this when its context ends. Who mounts the server in an
// [http.Server] of their own gives it to [http.Server.RegisterOnShutdown],
// because [http.Server.Shutdown] waits for streams and would wait for ever.
func (s *Server) End() {
	// First, so that no stream begins behind its log's last event.
	if s.isEnding.Swap(true) {
		return
	}
	for _, sandbox := range s.all() {
		sandbox.log.append(sandbox.Revision(), func(h protocol.Head) any {
			h.Source = protocol.SourceServer
			return protocol.LifecycleEvent{Head: h, Step: protocol.StepEnding, Text: "the server is ending; open pages follow the next one if it has this sandbox again"}
		})
	}
	s.end()
}

// refuseEnding answers a request that came too late.
func refuseEnding(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprint(w, "This server is ending. Try again when it has been started anew.\n\nBellglass: "+codeEnding+"\n")
}
