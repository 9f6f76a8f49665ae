package server

import (
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
)

const (
	// streamCheckWait is how long a stream of the check waits for the request to end it. A
	// client that has received the first line needs one round trip of that time.
	streamCheckWait = 3 * time.Second
	// mostStreamChecks bounds the open streams of the check, because anybody can open them.
	mostStreamChecks = 4
)

// streamChecks are the open streams of [protocol.StreamCheckPath], by an id that the client
// chose. A channel is closed when its stream is asked to end. The zero value is ready to use.
//
// A client asks only after it has read the first line. So the last line says whether a proxy
// forwarded the first line before it had the whole response. The client needs no clock for
// that.
type streamChecks struct {
	mu    sync.Mutex
	asked map[string]chan struct{}
}

// open returns the channel of a new stream, or nil if there are too many or the id is in use.
func (s *streamChecks) open(id string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) >= mostStreamChecks || s.asked[id] != nil {
		return nil
	}
	if s.asked == nil {
		s.asked = map[string]chan struct{}{}
	}
	asked := make(chan struct{})
	s.asked[id] = asked
	return asked
}

// ask asks a stream to end. It reports whether the stream was open.
func (s *streamChecks) ask(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked[id]
	if asked == nil {
		return false
	}
	select {
	case <-asked: // already
	default:
		close(asked)
	}
	return true
}

func (s *streamChecks) close(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, id)
}

func (s *Server) getStreamCheck(c echo.Context) error {
	id := c.QueryParam("id")
	if !IsID(id) {
		return refuse(http.StatusBadRequest, "bad-id", "The parameter id is missing or invalid. Send 26 letters a to z and digits 2 to 7.")
	}
	asked := s.streamChecks.open(id)
	if asked == nil {
		return refuseFor(c.Response(), http.StatusServiceUnavailable, streamCheckWait, "too-many-streams", "The server has %d open stream checks, which is its limit, or one with this ID. Try again later.", mostStreamChecks)
	}
	defer s.streamChecks.close(id)
	exchangeOf(c.Request()).stream = true
	unbuffered(c)
	c.Response().Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.Response().WriteHeader(http.StatusOK)
	if _, err := io.WriteString(c.Response(), protocol.StreamBegins+"\n"); err != nil {
		return nil // the client is gone
	}
	if err := http.NewResponseController(c.Response()).Flush(); err != nil {
		return nil
	}
	last := protocol.StreamWaited
	wait := time.NewTimer(streamCheckWait)
	defer wait.Stop()
	select {
	case <-asked:
		last = protocol.StreamAsked
	case <-wait.C:
	case <-s.registry.Ending().Done():
	case <-c.Request().Context().Done():
	}
	// Writing fails only if the client is gone.
	_, _ = io.WriteString(c.Response(), last+"\n")
	return nil
}

func (s *Server) postStreamCheck(c echo.Context) error {
	if !s.streamChecks.ask(c.QueryParam("id")) {
		return refuse(http.StatusNotFound, "unknown-stream", "No stream check with this ID is open. Send this request while its stream is open.")
	}
	return c.NoContent(http.StatusNoContent)
}
