package server

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/server/api"
)

// postExecute answers when the execution is over, however it ended. Only an execution that
// never began is refused.
func (s *Server) postExecute(c echo.Context) error {
	var request ExecutionRequest
	_, free, err := s.uploadJSON(c, &request)
	if err != nil {
		return err
	}
	defer free()
	if request.ID != nil && *request.ID == "" {
		return api.RefuseField("/id", "The id is empty. Leave it out for a random one.")
	}
	outcome, err := sandboxOf(c.Request()).Execute(c.Request().Context(), request.Execution())
	switch {
	case c.Request().Context().Err() != nil:
		return nil // the client is gone
	case err != nil:
		if errors.Is(err, ErrTooManyExecutions) {
			c.Response().Header().Set("Retry-After", "1") // a running execution may end at any time
		}
		return err
	}
	return c.JSON(http.StatusOK, outcome)
}
