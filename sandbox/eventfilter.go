package sandbox

import (
	"errors"
	"fmt"
	"slices"
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

// EventWords returns the words that a field of a filter knows: type, action, source or level.
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
		panic(fmt.Sprintf("sandbox: %T is no event of the protocol", event))
	}
}

// passes reports whether the filter, which is checked, picks an event.
func (f *EventFilter) passes(e *eventFields) bool {
	return e.always || picks(f.Types, e.kind) && picks(f.Actions, e.action) && picks(f.Sources, e.source) && picks(f.Levels, e.level)
}

func picks[W comparable](wanted []W, has W) bool {
	return len(wanted) == 0 || slices.Contains(wanted, has)
}

// Check fails for a word that no event has.
func (f *EventFilter) Check() error {
	_, err := f.checked()
	return err
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
