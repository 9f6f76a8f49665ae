package server

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

// An answerError is an error that is shown to a client: a status, a stable code, and a text
// that says what happened and what to do.
type answerError struct {
	status int
	code   string
	text   string
}

func (e *answerError) Error() string { return e.text }

func refuse(status int, code, format string, args ...any) error {
	return &answerError{status, code, fmt.Sprintf(format, args...)}
}

// handleError is the only place where an error becomes an answer. The response has its policy
// headers already.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	answer := s.answerTo(err, c)
	if err := c.String(answer.status, answer.text+"\n\nBellglass: "+answer.code+"\n"); err != nil {
		s.config.Log.Debug("an answer could not be written", "error", err)
	}
}

// answerTo returns what a client is told about an error. It logs errors that clients must not
// see.
func (s *Server) answerTo(err error, c echo.Context) *answerError {
	answer := &answerError{http.StatusInternalServerError, "internal", "The server failed to answer this request. See its log for the cause."}
	var known *answerError
	var echoError *echo.HTTPError
	switch {
	case errors.As(err, &known):
		answer = known
	case errors.As(err, &echoError) && echoError.Code == http.StatusNotFound:
		answer = &answerError{echoError.Code, "not-found", "There is nothing at this path."}
	case errors.As(err, &echoError) && echoError.Code == http.StatusMethodNotAllowed:
		answer = &answerError{echoError.Code, "method-not-allowed", fmt.Sprintf("This path does not support %s.", c.Request().Method)}
	case errors.As(err, &echoError) && echoError.Code < 500:
		answer = &answerError{echoError.Code, "refused", http.StatusText(echoError.Code) + "."}
	default:
		s.config.Log.Error("a request failed", "method", c.Request().Method, "host", c.Request().Host, "path", c.Request().URL.Path, "error", err)
	}
	exchangeOf(c.Request()).code = answer.code
	return answer
}
