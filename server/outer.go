package server

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/protocol"
)

const maxReports = 4 << 20 // bytes

// outerRoutes is the whole of the outer origin's URL space.
func (s *Server) outerRoutes(e *echo.Echo) {
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if sandboxOf(c.Request()) == nil {
				return refuse(http.StatusNotFound, "unknown-sandbox", "There is no sandbox at this address. It may have been deleted, or the server was started anew; ids are never used again.")
			}
			return next(c)
		}
	})
	e.GET("/:id", s.getOuter)
	e.GET("/:id/events", s.getEvents, requireToken)
	e.POST("/:id/reports", s.postReports, requireToken)
}

func isOuterPage(path string) bool { return isID(strings.TrimPrefix(path, "/")) }

func (s *Server) getOuter(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	flags := firewall.SandboxFlags()
	data := outerframe.Data{
		Inner: sandbox.origin, Entry: sandbox.entry, Embedders: s.embedders, Sandbox: &flags,
		Events:  "/" + sandbox.id + "/events?token=" + sandbox.token,
		Reports: "/" + sandbox.id + "/reports?token=" + sandbox.token,
	}
	if !s.config.Defences.Has(firewall.Sandbox) {
		data.Sandbox = nil
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.outerPage.Render(c.Response(), data)
}

// requireToken lets only the sandbox's own outer frame pass. An EventSource
// cannot send a header, so the token is in the address, which no page but the
// outer's can read.
func requireToken(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		token := sandboxOf(c.Request()).token
		if subtle.ConstantTimeCompare([]byte(c.QueryParam("token")), []byte(token)) != 1 {
			return refuse(http.StatusForbidden, "outer-only", "This path answers only to the sandbox's own outer frame.")
		}
		if c.Request().Header.Get("Sec-Fetch-Site") != "same-origin" {
			return refuse(http.StatusForbidden, "cross-origin", "This path answers only to a page of the outer frame's origin.")
		}
		return next(c)
	}
}

// getEvents streams the sandbox's log as server-sent events, from the one after
// Last-Event-ID, or from the oldest kept.
func (s *Server) getEvents(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	last, err := strconv.ParseInt(c.Request().Header.Get("Last-Event-ID"), 10, 64)
	if err != nil {
		last = 0 // a first connection
	}
	for {
		events, dropped, changed := sandbox.log.after(last)
		if dropped > 0 && last > 0 {
			note, err := json.Marshal(protocol.LifecycleEvent{
				Head: protocol.Head{ID: last, Source: protocol.SourceServer, Revision: sandbox.Revision()},
				Step: protocol.StepDropped, Text: fmt.Sprintf("%d events were dropped while this page did not listen", dropped),
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(c.Response(), "data: %s\n\n", note)
		}
		for _, e := range events {
			if _, err := fmt.Fprintf(c.Response(), "id: %d\ndata: %s\n\n", e.id, e.json); err != nil {
				return nil // the outer frame is gone
			}
			last = e.id
		}
		if err := w.Flush(); err != nil {
			return nil
		}
		select {
		case <-changed:
		case <-c.Request().Context().Done():
			return nil
		}
	}
}

// postReports takes what the outer frame tells into the log. The page's part of
// it is the word of untrusted code: bounded, marked, believed in nothing.
func (s *Server) postReports(c echo.Context) error {
	var batch protocol.OuterReports
	if err := readJSON(c.Request(), maxReports, &batch); err != nil {
		return err
	}
	sandbox := sandboxOf(c.Request())
	for _, raw := range batch.Page {
		// Page code can forge reports beside those of the client script, and so
		// one that is none of the protocol's must not take the others along.
		if err := sandbox.recordReport(raw); err != nil {
			batch.Dropped++
		}
	}
	for _, violation := range batch.Outer {
		sandbox.recordViolation(violation, protocol.SourceOuter)
	}
	sandbox.recordDropped(batch.Dropped, protocol.SourcePage)
	return c.NoContent(http.StatusNoContent)
}

func (sb *Sandbox) recordReport(raw json.RawMessage) error {
	var console protocol.ConsoleReport
	if json.Unmarshal(raw, &console) == nil {
		sb.recordConsole(console)
		return nil
	}
	var failure protocol.ErrorReport
	if json.Unmarshal(raw, &failure) == nil {
		sb.recordError(failure)
		return nil
	}
	var violation protocol.ViolationReport
	err := json.Unmarshal(raw, &violation)
	if err == nil {
		sb.recordViolation(violation, protocol.SourcePage)
	}
	return err
}
