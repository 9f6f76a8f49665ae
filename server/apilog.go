package server

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
)

// How many events readLog returns by default, and at most.
const (
	usuallyRead = 1_000
	mostRead    = 10_000
)

// LogPage is the answer of readLog: a part of the log.
type LogPage struct {
	// Events are in the order of their IDs.
	Events []loggedEvent `json:"events"`
	// Last is where this page ends: with it as after, the next page begins.
	Last int64 `json:"last"`
	// More is true if the log had more events when this page ended.
	More bool `json:"more"`
}

// A loggedEvent is one of the protocol's events, as its log has it.
type loggedEvent []byte

// MarshalJSON implements [encoding/json.Marshaler].
func (e loggedEvent) MarshalJSON() ([]byte, error) { return e, nil }

// readLog returns a page of the log as it is now. It does not wait for events.
func (s *Server) readLog(c echo.Context) error {
	limit := usuallyRead
	r := c.Request().Clone(c.Request().Context())
	if query := r.URL.Query(); query.Has("limit") {
		var err error
		if limit, err = strconv.Atoi(query.Get("limit")); len(query["limit"]) > 1 || err != nil || limit < 1 || limit > mostRead {
			return refuse(http.StatusBadRequest, "bad-parameter", "The limit is %.40q. Send one number from 1 to %d.", query.Get("limit"), mostRead)
		}
		query.Del("limit")
		r.URL.RawQuery = query.Encode()
	}
	filter, after, err := queryOfEvents(r)
	if err != nil {
		return err
	}
	reader, err := sandboxOf(r).Follow(filter, after)
	if err != nil {
		return err
	}
	page := LogPage{Events: []loggedEvent{}}
	for !page.More {
		events, _ := reader.Read()
		if len(events) == 0 {
			page.Last = max(page.Last, reader.Last())
			break
		}
		for _, e := range events {
			if page.More = len(page.Events) == limit; page.More {
				break
			}
			page.Events, page.Last = append(page.Events, e.JSON), e.ID
		}
	}
	return c.JSON(http.StatusOK, page)
}
