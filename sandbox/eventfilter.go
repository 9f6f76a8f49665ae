package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/protocol"
)

// An EventFilter selects events of a sandbox's log. An empty field selects all events. An
// event passes if it matches every other field. An event that lacks such a field does not
// match it: a console line, for example, has no action.
//
// Lifecycle events with the steps dropped, ending, and removed pass every filter, because they
// are about the log itself. Without them a follower could not tell silence from a loss of
// events or from the end of the log.
type EventFilter struct {
	// Types are verdict, violation, console, error, and lifecycle.
	Types   []string
	Actions []protocol.Action
	Sources []protocol.Source
	// Levels are the levels of console lines.
	Levels []protocol.Level
}

// The words that a filter accepts.
var (
	eventTypes = []string{
		protocol.VerdictEvent{}.Type.Literal(), protocol.ViolationEvent{}.Type.Literal(), protocol.ConsoleEvent{}.Type.Literal(),
		protocol.ErrorEvent{}.Type.Literal(), protocol.LifecycleEvent{}.Type.Literal(),
	}
	eventActions = []protocol.Action{protocol.ActionBlock, protocol.ActionAllow}
	eventSources = []protocol.Source{protocol.SourceServer, protocol.SourceWorker, protocol.SourceOuter, protocol.SourceBrowser, protocol.SourcePage}
)

// eventFields are the fields of an event that a filter examines. A field that the event lacks
// is empty.
type eventFields struct {
	kind   string
	action protocol.Action
	source protocol.Source
	level  protocol.Level
	// always says that the event passes every filter.
	always bool
}

// EventWords returns the words that a filter accepts for a field: type, action, source, or
// level. For any other field it returns nil.
func EventWords(field string) []string {
	switch field {
	case "type":
		return slices.Clone(eventTypes)
	case "action":
		return texts(eventActions)
	case "source":
		return texts(eventSources)
	case "level":
		return texts(levels)
	default:
		return nil
	}
}

// fieldsOf returns the fields of an event. It panics if the protocol has no such event.
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
		panic(fmt.Sprintf("sandbox: %T is no event of the protocol", event))
	}
}

// passes reports whether an event passes the filter, which must have been checked.
func (f *EventFilter) passes(e *eventFields) bool {
	return e.always || picks(f.Types, e.kind) && picks(f.Actions, e.action) && picks(f.Sources, e.source) && picks(f.Levels, e.level)
}

func picks[W comparable](wanted []W, has W) bool {
	return len(wanted) == 0 || slices.Contains(wanted, has)
}

// Check fails if the filter has a word that no event has.
func (f *EventFilter) Check() error {
	_, err := f.checked()
	return err
}

// checked returns a copy of the filter, with each word once, however often a client repeats
// it. It fails for a word that no event has.
func (f *EventFilter) checked() (once EventFilter, err error) {
	once = EventFilter{
		Types:   known(&err, "type", f.Types, eventTypes),
		Actions: known(&err, "action", f.Actions, eventActions),
		Sources: known(&err, "source", f.Sources, eventSources),
		Levels:  known(&err, "level", f.Levels, levels),
	}
	return once, err
}

// known returns the known words of a list, each once. For each unknown word it joins an error
// to err.
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

// commas joins words with commas.
func commas[W ~string](words []W) string { return strings.Join(texts(words), ", ") }

func texts[W ~string](words []W) []string {
	all := make([]string, 0, len(words))
	for _, word := range words {
		all = append(all, string(word))
	}
	return all
}
