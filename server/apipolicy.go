package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server/api"
)

func (s *Server) getPolicy(c echo.Context) error {
	policy, revision := sandboxOf(c.Request()).Policy()
	return answerCurrent(c, revision, func() error { return c.String(http.StatusOK, policy.Text()) })
}

func (s *Server) putPolicy(c echo.Context) error {
	body, free, err := s.upload(c, policyBytes)
	if err != nil {
		return err
	}
	defer free()
	policy, err := s.parse(c, body)
	if err != nil {
		return err
	}
	return edit(c, Edit{Policy: policy})
}

func (s *Server) postExplain(c echo.Context) error {
	var question Question
	_, free, err := s.uploadJSON(c, &question)
	if err != nil {
		return err
	}
	defer free()
	if question.URL == "" {
		return api.RefuseField("/url", "The url is missing. Send an absolute URL.")
	}
	request, err := rules.ParseRequest(question.Method, question.URL, string(question.Type))
	if err != nil {
		return api.RefuseField("", "The request to explain is invalid: %v.", err)
	}
	explanation, revision := sandboxOf(c.Request()).Explain(request)
	return answerCurrent(c, revision, func() error { return c.JSON(http.StatusOK, explanation) })
}

// readLog returns a page of the log as it is now.
func (s *Server) readLog(c echo.Context) error {
	page, err := api.ReadLog(sandboxOf(c.Request()).Sandbox, c.Request())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page)
}

// followEvents streams the log as the outer frame gets it.
func (s *Server) followEvents() echo.HandlerFunc {
	follow := s.stream(s.getEvents)
	return func(c echo.Context) error {
		if c.Request().Method == http.MethodHead {
			c.Response().Header().Set("Content-Type", mediaEvents)
			return c.NoContent(http.StatusOK)
		}
		return follow(c)
	}
}
