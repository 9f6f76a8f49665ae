package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server/api"
)

// refuse returns an error that is shown to the client.
func refuse(status int, code, format string, args ...any) error {
	return api.Refuse(status, code, format, args...)
}

// handleError is the only place where an error becomes an answer. The response has its policy
// headers already.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	answer := s.answerTo(err, c)
	if err := c.String(answer.Status, answer.Text+"\n\nBellglass: "+answer.Code+"\n"); err != nil {
		s.config.Log.Debug("an answer could not be written", "error", err)
	}
}

// answerTo returns what a client is told about an error. It logs errors that clients must not
// see.
func (s *Server) answerTo(err error, c echo.Context) *api.Refusal {
	answer := &api.Refusal{Status: http.StatusInternalServerError, Code: "internal", Text: "The server failed to answer this request. See its log for the cause."}
	var known *api.Refusal
	var echoError *echo.HTTPError
	switch {
	case errors.As(err, &known):
		answer = known
	case errors.As(err, &echoError) && echoError.Code == http.StatusNotFound:
		answer = &api.Refusal{Status: echoError.Code, Code: "not-found", Text: "There is nothing at this path."}
	case errors.As(err, &echoError) && echoError.Code == http.StatusMethodNotAllowed:
		answer = &api.Refusal{Status: echoError.Code, Code: "method-not-allowed", Text: fmt.Sprintf("This path does not support %s.", c.Request().Method)}
	case errors.As(err, &echoError) && echoError.Code < 500:
		answer = &api.Refusal{Status: echoError.Code, Code: "refused", Text: http.StatusText(echoError.Code) + "."}
	default:
		s.config.Log.Error("a request failed", "method", c.Request().Method, "host", c.Request().Host, "path", c.Request().URL.Path, "error", err)
	}
	exchangeOf(c.Request()).code = answer.Code
	return answer
}

// handleAPIError is the only place where an error becomes an answer of the API.
func (s *Server) handleAPIError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if errors.Is(err, ErrFull) {
		err = refuseFor(c.Response(), http.StatusServiceUnavailable, sandbox.LeastIdle, "full",
			"The server has %d sandboxes, which is its limit. None of them can be evicted: each is kept, is viewed, or was used within the last minute. Delete some, or try again later.", s.config.Limits.Sandboxes)
	}
	p := api.NewProblem(s.answerTo(api.RefusalOf(err), c), err)
	body, err := json.Marshal(p)
	if err == nil {
		err = c.Blob(p.Status, api.MediaProblem, append(body, '\n'))
	}
	if err != nil {
		s.config.Log.Debug("writing an answer failed", "error", err)
	}
}
