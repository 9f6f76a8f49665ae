package server

import (
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
const gathering = 200 * time.Millisecond

// getEvents streams the sandbox's log as server-sent events, from the one after
// Last-Event-ID or the parameter after, or from the oldest kept.
func (s *Server) getEvents(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	after := c.Request().Header.Get("Last-Event-ID")
	if after == "" {
		after = c.QueryParam("after")
	}
	last, err := strconv.ParseInt(after, 10, 64)
	if err != nil || last < 0 {
		last = 0 // a first connection
	}
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	for over, told := false, false; ; {
		events, dropped, changed := sandbox.log.after(last)
		if len(events) > 0 {
			if dropped > 0 {
				text := "%d events were dropped while this page did not listen"
				if last == 0 {
					text = "%d earlier events are no longer kept"
				}
				events = append([]entry{sandbox.missed(events[0].id-1, fmt.Sprintf(text, dropped))}, events...)
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
	const around = len("id: -9223372036854775808\ndata: \n\n")
	size := 0
	for _, e := range events {
		size += around + len(e.json)
	}
	// One allocation: hundreds of streams may tell of a flood.
	b := make([]byte, 0, size)
	for _, e := range events {
		b = strconv.AppendInt(append(b, "id: "...), e.id, 10)
		b = append(append(append(b, "\ndata: "...), e.json...), "\n\n"...)
	}
	return b
}

// missed tells a page of events that are gone, in place of the last of them.
func (sb *Sandbox) missed(id int64, text string) entry {
	note, err := json.Marshal(protocol.LifecycleEvent{
		Head: protocol.Head{ID: id, Time: time.Now().UTC(), Source: protocol.SourceServer, Revision: sb.Revision()},
		Step: protocol.StepDropped, Text: text,
	})
	if err != nil {
		panic(fmt.Sprintf("server: an event cannot be written as JSON: %v", err)) // our own types
	}
	return entry{id, note}
}
