package server

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
)

// postExecute answers when the execution is over, however it ended: what is refused
// is only what never began.
func (s *Server) postExecute(c echo.Context) error {
	var request ExecutionRequest
	_, free, err := s.uploadJSON(c, &request)
	if err != nil {
		return err
	}
	defer free()
	outcome, err := sandboxOf(c.Request()).Execute(c.Request().Context(), request.Execution())
	switch {
	case c.Request().Context().Err() != nil:
		return nil // nobody hears an answer
	case err != nil:
		if errors.Is(err, ErrTooManyExecutions) {
			c.Response().Header().Set("Retry-After", "1") // what runs may end at any time
		}
		return err
	}
	return c.JSON(http.StatusOK, outcome)
}
