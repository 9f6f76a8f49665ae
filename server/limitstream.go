package server

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// streamWait is how long a client should wait after it was refused a stream.
const streamWait = 10 * time.Second

// stream accepts a stream if the limits allow one more, and ends it together with its sandbox
// or the server. A sandbox with a stream counts as viewed, so it does not end as idle.
func (s *Server) stream(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		sandbox := sandboxOf(c.Request())
		if !sandbox.streams.take(1) {
			sandbox.Warn("a stream was refused", "of", sandbox.streams.max)
			return refuseFor(c.Response(), http.StatusTooManyRequests, streamWait, "too-many-streams",
				"This sandbox has %d open streams, which is its limit. Close some pages that show it.", sandbox.streams.max)
		}
		defer sandbox.streams.give(1)
		if !s.streams.take(1) {
			sandbox.Warn("a stream was refused", "of", s.streams.max)
			return refuseFor(c.Response(), http.StatusServiceUnavailable, streamWait, "too-many-streams",
				"This server has %d open streams, which is its limit. Try again later.", s.streams.max)
		}
		defer s.streams.give(1)
		defer sandbox.View()()

		exchangeOf(c.Request()).stream = true
		ctx, cancel := context.WithCancel(c.Request().Context())
		defer cancel()
		defer context.AfterFunc(sandbox.Alive(), cancel)()
		defer context.AfterFunc(s.registry.Ending(), cancel)()
		c.SetRequest(c.Request().WithContext(ctx))
		outlive(c.Request())
		unbuffered(c)
		return next(c)
	}
}

// unbuffered tells nginx to forward a response as it arrives. By default nginx (1.22) uses
// HTTP/1.0 to the server and buffers the response. With gzip on it also does so over HTTP/1.1.
func unbuffered(c echo.Context) { c.Response().Header().Set("X-Accel-Buffering", "no") }
