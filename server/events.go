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
	"github.com/bellglass/bellglass/server/api"
)

const (
	// gathering is how long a stream that has just sent events waits for more. So a flood of
	// events wakes each of hundreds of streams a few times a second, and not for every event.
	// The first event after a silence is sent at once.
	gathering = 200 * time.Millisecond
	// heartbeat is the longest silence of a stream. It keeps proxies from closing the stream,
	// and a longer silence shows the client that the stream is dead. It also bounds how old
	// the place of a filtered stream may be.
	heartbeat = 15 * time.Second
)

// getEvents streams the sandbox's log as server-sent events, through the query's filter. It
// starts after the event that Last-Event-ID or the parameter after names, or else with the
// oldest kept event. The outer frame's stream also carries requests for executions.
func (s *Server) getEvents(c echo.Context) error {
	filter, after, err := api.EventQuery(c.Request())
	if err != nil {
		return err
	}
	reader, err := sandboxOf(c.Request()).Follow(filter, after)
	if err != nil {
		return err
	}
	var asked <-chan struct{} // only for the outer frame: nothing else can run code
	var view *sandbox.View
	var demanded string // the policy's demand that the outer frame was sent last
	if x := exchangeOf(c.Request()); x.where == outerHost {
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
	known := reader.Last() // the place that the client knows
	// Each round writes the available events, and then waits for more.
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
				return nil // the client is gone
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
		// The end of the wait wakes the stream, or else the next event does.
		var gathered <-chan time.Time
		if reader.Last() != passed {
			gathered, changed, passed = time.After(gathering), nil, reader.Last()
		}
		select {
		case <-another:
		case <-asked:
			// A request may come together with another policy, whose demand must be sent
			// first.
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
			// If the sandbox or the server has ended, the last event of the log says so. It is
			// still sent.
			over = true
		}
	}
}

// demandOf returns the message to the outer frame that says what a version's policy demands, and
// whether the version is warm, in the format of the stream. It has no id, so that the browser does
// not count it as an event of the log.
func demandOf(v version) string {
	policy := v.Firewall.Policy()
	b, err := json.Marshal(protocol.Demand{Enough: enough(policy), Audit: policy.Mode == rules.ModeAudit, Warm: v.Warm})
	if err != nil {
		panic(fmt.Sprintf("server: a message cannot be written as JSON: %v", err)) // our own type
	}
	return "event: demand\ndata: " + string(b) + "\n\n"
}

// askedOf returns the messages to a view in the format of the stream. They have no id, so that
// the browser does not count them as events of the log.
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

// serverSent returns events in the format of server-sent events (HTML, section 9.2.5).
func serverSent(events []entry) []byte {
	const around = len("id: -9223372036854775808\ndata: \n\n")
	size := 0
	for _, e := range events {
		size += around + len(e.JSON)
	}
	// One allocation, because a flood is sent to hundreds of streams.
	b := make([]byte, 0, size)
	for _, e := range events {
		b = strconv.AppendInt(append(b, "id: "...), e.ID, 10)
		b = append(append(append(b, "\ndata: "...), e.JSON...), "\n\n"...)
	}
	return b
}

// alive returns the heartbeat of a silent stream. If the filter has left events out, it
// carries the id of the last of them. A message with an id but without data is no event, yet
// the id becomes the client's Last-Event-ID (HTML, section 9.2.6).
func alive(known, last int64) []byte {
	if known == last {
		return []byte(": alive\n\n")
	}
	return append(strconv.AppendInt([]byte("id: "), last, 10), "\n\n"...)
}
