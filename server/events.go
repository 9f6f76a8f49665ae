package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
)

const (
	// gathering is how long a stream that has just told something waits for more,
	// so that a flood of events wakes each of hundreds of streams a few times a
	// second and not for every event. The first after a silence is told at once.
	gathering = 200 * time.Millisecond
	// heartbeat is how long a stream is silent at most: whatever stands between
	// keeps it open, and who reads it can tell that it is dead when nothing has
	// come for longer. It is also how old a filtered stream's place may be.
	heartbeat = 15 * time.Second
)

// getEvents streams the sandbox's log as server-sent events, through the query's
// filter, from the one after Last-Event-ID or the parameter after, or from the
// oldest kept. On the outer frame's stream it asks for executions as well.
func (s *Server) getEvents(c echo.Context) error {
	filter, after, err := queryOfEvents(c.Request())
	if err != nil {
		return err
	}
	reader, err := sandboxOf(c.Request()).Follow(filter, after)
	if err != nil {
		return err
	}
	var asked <-chan struct{} // of the outer frame alone: nobody else can run anything
	var view *sandbox.View
	var demanded string // what the outer frame was told that the policy demands
	if x := exchangeOf(c.Request()); x.where == outerPlace {
		var leave func()
		view, leave = x.sandbox.Enter()
		defer leave()
		if app := x.sandbox.app; app != nil {
			app.presence.enter()
			defer app.presence.leave()
		}
		asked = view.Wake
	}
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	beat := time.NewTimer(heartbeat)
	defer beat.Stop()
	known := reader.Last() // by the client, as its place
	// It writes what there is, and then waits for more.
	for over, unsent, passed := false, true, reader.Last(); ; {
		var another <-chan struct{}
		if view != nil {
			v, changed := sandboxOf(c.Request()).Version()
			another = changed
			if demand := demandOf(v); demand != demanded {
				if _, err := io.WriteString(c.Response(), demand); err != nil {
					return nil
				}
				demanded, unsent = demand, true
			}
		}
		events, changed := reader.Read()
		if len(events) > 0 {
			if _, err := c.Response().Write(serverSent(events)); err != nil {
				return nil // the reader is gone
			}
			known, unsent = events[len(events)-1].ID, true
			beat.Reset(heartbeat)
			continue // there may be more
		}
		if unsent {
			if err := w.Flush(); err != nil {
				return nil
			}
			unsent = false
		}
		if over {
			return nil
		}
		// What wakes this is the end of the wait, or the next event.
		var gathered <-chan time.Time
		if reader.Last() != passed {
			gathered, changed, passed = time.After(gathering), nil, reader.Last()
		}
		select {
		case <-another:
		case <-asked:
			// What it is asked for may come with another policy, whose demand goes first.
			if v, _ := sandboxOf(c.Request()).Version(); demandOf(v) != demanded {
				select {
				case view.Wake <- struct{}{}:
				default:
				}
				continue
			}
			if _, err := c.Response().Write(askedOf(view)); err != nil {
				return nil
			}
			unsent = true
		case <-gathered:
		case <-changed:
		case <-beat.C:
			if _, err := c.Response().Write(alive(known, reader.Last())); err != nil {
				return nil
			}
			known, unsent = reader.Last(), true
			beat.Reset(heartbeat)
		case <-c.Request().Context().Done():
			// If it was the sandbox or the server that ended, its log's last line
			// says so.
			over = true
		}
	}
}

// demandOf is the word of a version to the outer frame: what its policy demands, as the
// stream's text. It has no id, so that the browser does not take it for an event of
// the log.
func demandOf(v version) string {
	policy := v.Firewall.Policy()
	b, err := json.Marshal(protocol.Demand{Enough: enough(policy), Audit: policy.Mode == rules.ModeAudit})
	if err != nil {
		panic(fmt.Sprintf("server: a message cannot be written as JSON: %v", err)) // our own type
	}
	return "event: demand\ndata: " + string(b) + "\n\n"
}

// askedOf writes what is asked of a view as the stream's text. Such an event has no id, so that
// the browser does not take it for one of the log.
func askedOf(view *sandbox.View) (text []byte) {
	for _, message := range view.Take() {
		b, err := json.Marshal(message)
		if err != nil {
			panic(fmt.Sprintf("server: a message cannot be written as JSON: %v", err)) // our own types
		}
		text = append(append(append(text, "event: run\ndata: "...), b...), "\n\n"...)
	}
	return text
}

// serverSent writes events as the stream's text (HTML, section 9.2.5).
func serverSent(events []entry) []byte {
	const around = len("id: -9223372036854775808\ndata: \n\n")
	size := 0
	for _, e := range events {
		size += around + len(e.JSON)
	}
	// One allocation: hundreds of streams may tell of a flood.
	b := make([]byte, 0, size)
	for _, e := range events {
		b = strconv.AppendInt(append(b, "id: "...), e.ID, 10)
		b = append(append(append(b, "\ndata: "...), e.JSON...), "\n\n"...)
	}
	return b
}

// alive is what a silent stream says. Where the filter has left events out it
// tells the place after them: an id without data is no event, and yet becomes the
// client's Last-Event-ID (HTML, section 9.2.6).
func alive(known, last int64) []byte {
	if known == last {
		return []byte(": alive\n\n")
	}
	return append(strconv.AppendInt([]byte("id: "), last, 10), "\n\n"...)
}
