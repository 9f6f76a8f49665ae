package api

import (
	"net/http"
	"strconv"

	"github.com/bellglass/bellglass/sandbox"
)

// How many events a page of the log has by default, and at most.
const (
	usuallyRead = 1_000
	mostRead    = 10_000
)

// LogPage is the answer of readLog: a part of the log.
type LogPage struct {
	// Events are in the order of their IDs.
	Events []LoggedEvent `json:"events"`
	// Last is where this page ends: with it as after, the next page begins.
	Last int64 `json:"last"`
	// More is true if the log had more events when this page ended.
	More bool `json:"more"`
}

// A LoggedEvent is the JSON of one of the protocol's events.
type LoggedEvent []byte

// MarshalJSON implements [encoding/json.Marshaler].
func (e LoggedEvent) MarshalJSON() ([]byte, error) { return e, nil }

// logPageOf returns the page of a sandbox's log that a query selects, as the log is now. It does
// not wait for events.
func logPageOf(sb *sandbox.Sandbox, r *http.Request) (*LogPage, error) {
	limit := usuallyRead
	r = r.Clone(r.Context())
	if query := r.URL.Query(); query.Has("limit") {
		var err error
		if limit, err = strconv.Atoi(query.Get("limit")); len(query["limit"]) > 1 || err != nil || limit < 1 || limit > mostRead {
			return nil, Refuse(http.StatusBadRequest, "bad-parameter", "The limit is %.40q. Send one number from 1 to %d.", query.Get("limit"), mostRead)
		}
		query.Del("limit")
		r.URL.RawQuery = query.Encode()
	}
	filter, after, err := EventQuery(r)
	if err != nil {
		return nil, err
	}
	reader, err := sb.Follow(filter, after)
	if err != nil {
		return nil, err
	}
	page := &LogPage{Events: []LoggedEvent{}}
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
	return page, nil
}

// readLog returns a page of the log as it is now.
func (a *API) readLog(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	page, err := logPageOf(sb, r)
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, page)
}
