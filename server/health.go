package server

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

const healthPath = "/healthz"

// health is what [healthPath] answers.
type health struct {
	// Status is "ok", or "ending", with the HTTP status 503, once the server ends.
	Status    string `json:"status"`
	Version   string `json:"version"`
	Sandboxes int    `json:"sandboxes"`
}

func (s *Server) getHealth(c echo.Context) error {
	s.mu.RLock()
	h := health{Status: "ok", Version: s.config.Version, Sandboxes: len(s.sandboxes)}
	s.mu.RUnlock()
	status := http.StatusOK
	if s.isEnding.Load() {
		h.Status, status = "ending", http.StatusServiceUnavailable
	}
	return c.JSON(status, h)
}
