package server

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

const healthPath = "/healthz"

// health is the response of [healthPath].
type health struct {
	// Status is "ok", or "ending", with the HTTP status 503, once the server ends.
	Status string `json:"status"`
	// If the host page needs a token, only callers with one get Version and Sandboxes.
	Version   string `json:"version,omitempty"`
	Sandboxes *int   `json:"sandboxes,omitempty"`
}

func (s *Server) getHealth(c echo.Context) error {
	h, status := health{Status: "ok"}, http.StatusOK
	if !s.config.needsToken() || s.token(c.Request().Header.Values("Authorization")) != nil {
		n := s.registry.Len()
		h.Version, h.Sandboxes = s.config.Version, &n
	}
	if s.registry.IsEnding() {
		h.Status, status = "ending", http.StatusServiceUnavailable
	}
	return c.JSON(status, h)
}
