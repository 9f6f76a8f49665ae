package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/protocol"
)

// An EventFilter picks events of a sandbox's log. A field that is empty picks
// all; an event has to pass each of the others, and one that has no such field
// (a console line has no action) does not pass it.
//
// Lifecycle events with the steps dropped, ending and removed pass every filter:
// they tell of the log itself, and who lacked them could not tell a silence from
// a loss or from the end.
type EventFilter struct {
	// Types are verdict, violation, console, error and lifecycle.
	Types   []string
	Actions []protocol.Action
	Sources []protocol.Source
	// Levels are those of console lines.
	Levels []protocol.Level
}

// The words that a filter knows.
var (
	eventTypes = []string{
		protocol.VerdictEvent{}.Type.Literal(), protocol.ViolationEvent{}.Type.Literal(), protocol.ConsoleEvent{}.Type.Literal(),
		protocol.ErrorEvent{}.Type.Literal(), protocol.LifecycleEvent{}.Type.Literal(),
	}
	eventActions = []protocol.Action{protocol.ActionBlock, protocol.ActionAllow}
	eventSources = []protocol.Source{protocol.SourceServer, protocol.SourceWorker, protocol.SourceOuter, protocol.SourceBrowser, protocol.SourcePage}
)

// eventFields are what a filter may ask of an event. A field that the event lacks is empty.
type eventFields struct {
	kind   string
	action protocol.Action
	source protocol.Source
	level  protocol.Level
	// always says that the event passes every filter.
	always bool
}

// fieldsOf returns the fields of one of the protocol's events.
func fieldsOf(event any) *eventFields {
	switch e := event.(type) {
	case protocol.VerdictEvent:
		return &eventFields{kind: e.Type.Literal(), source: e.Source, action: e.Action}
	case protocol.ViolationEvent:
		return &eventFields{kind: e.Type.Literal(), source: e.Source, action: e.Action}
	case protocol.ConsoleEvent:
		return &eventFields{kind: e.Type.Literal(), source: e.Source, level: e.Level}
	case protocol.ErrorEvent:
		return &eventFields{kind: e.Type.Literal(), source: e.Source}
	case protocol.LifecycleEvent:
		always := e.Step == protocol.StepDropped || e.Step == protocol.StepEnding || e.Step == protocol.StepRemoved
		return &eventFields{kind: e.Type.Literal(), source: e.Source, always: always}
	default:
		panic(fmt.Sprintf("server: %T is no event of the protocol", event))
	}
}

// passes reports whether the filter, which is checked, picks an event.
func (f *EventFilter) passes(e *eventFields) bool {
	return e.always || picks(f.Types, e.kind) && picks(f.Actions, e.action) && picks(f.Sources, e.source) && picks(f.Levels, e.level)
}

func picks[W comparable](wanted []W, has W) bool {
	return len(wanted) == 0 || slices.Contains(wanted, has)
}

// checked returns the filter with each word once, however often a client names it, in
// lists of its own. It fails for a word that no event has.
func (f *EventFilter) checked() (once EventFilter, err error) {
	once = EventFilter{
		Types:   known(&err, "type", f.Types, eventTypes),
		Actions: known(&err, "action", f.Actions, eventActions),
		Sources: known(&err, "source", f.Sources, eventSources),
		Levels:  known(&err, "level", f.Levels, levels),
	}
	return once, err
}

// known returns the words of a list, each once, and joins what is wrong with others to err.
func known[W ~string](err *error, field string, list, words []W) (once []W) {
	for _, word := range list {
		switch {
		case !slices.Contains(words, word):
			*err = errors.Join(*err, fmt.Errorf("the filter %s has the unknown word %.40q; it knows %s", field, word, commas(words)))
		case !slices.Contains(once, word):
			once = append(once, word)
		}
	}
	return once
}

// commas is a list of words as a text.
func commas[W ~string](words []W) string { return strings.Join(texts(words), ", ") }

func texts[W ~string](words []W) []string {
	all := make([]string, 0, len(words))
	for _, word := range words {
		all = append(all, string(word))
	}
	return all
}

// queryOfEvents reads a query: type, action, source and level, each with commas
// between its words, and after, which Last-Event-ID overrides. Whatever else
// there is, but for the outer frame's token, is refused: who has misspelt a
// filter would take all events for those that it asked for.
func queryOfEvents(r *http.Request) (filter EventFilter, after int64, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return filter, 0, refuse(http.StatusBadRequest, "bad-filter", "The query cannot be read: %v.", err)
	}
	last := r.Header.Get("Last-Event-ID")
	for name, values := range query {
		if len(values) > 1 {
			return filter, 0, refuse(http.StatusBadRequest, "bad-filter", "The parameter %.40q is there %d times; give it once, with commas between its words.", name, len(values))
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
			return filter, 0, refuse(http.StatusBadRequest, "bad-filter", "%.40q is no parameter of the events; there are type, action, source, level and after.", name)
		}
	}
	if _, err := filter.checked(); err != nil {
		return filter, 0, refuse(http.StatusBadRequest, "bad-filter", "The events cannot be filtered: %v.", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if last == "" {
		return filter, 0, nil
	}
	if after, err = strconv.ParseInt(last, 10, 64); err != nil || after < 0 {
		return filter, 0, refuse(http.StatusBadRequest, "bad-event-id", "%.40q is no event's id, of which Last-Event-ID and after are one: a whole number from 0. Leave it out to begin with the oldest event that is kept.", last)
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
