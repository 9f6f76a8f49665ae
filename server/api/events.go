package api

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sandbox"
)

// EventQuery parses the query of an event stream or a log page. The parameters type,
// action, source, and level take comma-separated words. Last-Event-ID overrides the parameter
// after.
//
// Any other parameter is rejected, except the outer frame's token. Otherwise a client with a
// misspelled filter would take all events for the filtered ones.
func EventQuery(r *http.Request) (filter sandbox.EventFilter, after int64, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return filter, 0, Refuse(http.StatusBadRequest, "bad-filter", "The query cannot be parsed: %v.", err)
	}
	last := r.Header.Get("Last-Event-ID")
	for name, values := range query {
		if len(values) > 1 {
			return filter, 0, Refuse(http.StatusBadRequest, "bad-filter", "The parameter %.40q occurs %d times. Send it once, with commas between its words.", name, len(values))
		}
		list := strings.Split(values[0], ",")
		switch name {
		case "type":
			filter.Types = list
		case "action":
			filter.Actions = of[protocol.Action](list)
		case "source":
			filter.Sources = of[protocol.Source](list)
		case "level":
			filter.Levels = of[protocol.Level](list)
		case "after":
			if last == "" {
				last = values[0]
			}
		case "token":
		default:
			return filter, 0, Refuse(http.StatusBadRequest, "bad-filter", "%.40q is not a parameter of the events. Use type, action, source, level, or after.", name)
		}
	}
	if err := filter.Check(); err != nil {
		return filter, 0, Refuse(http.StatusBadRequest, "bad-filter", "The event filter is invalid: %v.", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if last == "" {
		return filter, 0, nil
	}
	if after, err = strconv.ParseInt(last, 10, 64); err != nil || after < 0 {
		return filter, 0, Refuse(http.StatusBadRequest, "bad-event-id", "%.40q is not an event ID. Send an integer from 0 as Last-Event-ID or after, or leave it out to start with the oldest event in the log.", last)
	}
	return filter, after, nil
}

func of[W ~string](texts []string) []W {
	list := make([]W, 0, len(texts))
	for _, text := range texts {
		list = append(list, W(text))
	}
	return list
}
