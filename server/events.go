package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
)

// gathering is how long a stream that has just told something waits for more, so
// that a flood of events wakes each of hundreds of streams a few times a second
// and not for every event. The first after a silence is told at once.
const gathering = 50 * time.Millisecond

// getEvents streams the sandbox's log as server-sent events, from the one after
// Last-Event-ID or the parameter after, or from the oldest kept.
func (s *Server) getEvents(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	after := c.Request().Header.Get("Last-Event-ID")
	if after == "" {
		after = c.QueryParam("after")
	}
	last, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		last = 0 // a first connection
	}
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	for over, told := false, false; ; {
		events, dropped, changed := sandbox.log.after(last)
		if len(events) > 0 {
			if dropped > 0 && last > 0 {
				events = append([]entry{sandbox.missed(events[0].id-1, dropped)}, events...)
			}
			if _, err := c.Response().Write(serverSent(events)); err != nil {
				return nil // the outer frame is gone
			}
			last, told = events[len(events)-1].id, true
			continue // there may be more
		}
		if err := w.Flush(); err != nil || over {
			return nil
		}
		// What wakes this is the end of the wait, or the next event.
		var gathered <-chan time.Time
		if told {
			gathered, changed, told = time.After(gathering), nil, false
		}
		select {
		case <-gathered:
		case <-changed:
		case <-c.Request().Context().Done():
			// If it was the sandbox that ended, its log's last line says so.
			over = true
		}
	}
}

// serverSent writes events as the stream's text (HTML, section 9.2.5).
func serverSent(events []entry) []byte {
	var b bytes.Buffer
	for _, e := range events {
		fmt.Fprintf(&b, "id: %d\ndata: %s\n\n", e.id, e.json)
	}
	return b.Bytes()
}

// missed tells a page that the log has moved on without it, in place of the last
// event that it has missed.
func (sb *Sandbox) missed(id, count int64) entry {
	note, err := json.Marshal(protocol.LifecycleEvent{
		Head: protocol.Head{ID: id, Time: time.Now().UTC(), Source: protocol.SourceServer, Revision: sb.Revision()},
		Step: protocol.StepDropped, Text: fmt.Sprintf("%d events were dropped while this page did not listen", count),
	})
	if err != nil {
		panic(fmt.Sprintf("server: an event cannot be written as JSON: %v", err)) // our own types
	}
	return entry{id, note}
}
