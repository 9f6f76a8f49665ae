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

// marks say what a filter may ask of an event, a bit for each word below.
type marks uint32

// always marks what passes every filter.
const always marks = 1 << 31

// A dimension is a field of the filter with the words that it knows. The first
// word's bit is first.
type dimension struct {
	name  string
	first int
	words []string
}

var dimensions = func() [4]dimension {
	all := [4]dimension{
		{name: "type", words: []string{
			protocol.VerdictEvent{}.Type.Literal(), protocol.ViolationEvent{}.Type.Literal(), protocol.ConsoleEvent{}.Type.Literal(),
			protocol.ErrorEvent{}.Type.Literal(), protocol.LifecycleEvent{}.Type.Literal(),
		}},
		{name: "action", words: []string{string(protocol.ActionBlock), string(protocol.ActionAllow)}},
		{name: "source", words: []string{
			string(protocol.SourceServer), string(protocol.SourceWorker), string(protocol.SourceOuter), string(protocol.SourceBrowser), string(protocol.SourcePage),
		}},
		{name: "level", words: words(levels)},
	}
	for i := 1; i < len(all); i++ {
		all[i].first = all[i-1].first + len(all[i-1].words)
	}
	return all
}()

const typeOf, actionOf, sourceOf, levelOf = 0, 1, 2, 3

// mark is the bit of a word, 0 for one that the dimension does not know.
func (d *dimension) mark(word string) marks {
	if i := slices.Index(d.words, word); i >= 0 {
		return 1 << (d.first + i)
	}
	return 0
}

// knownWords are those of a dimension, as a text.
func knownWords(dimension int) string { return strings.Join(dimensions[dimension].words, ", ") }

// all are the bits of all words.
func (d *dimension) all() marks { return (1<<len(d.words) - 1) << d.first }

func mark[W ~string](dimension int, word W) marks { return dimensions[dimension].mark(string(word)) }

// marksOf returns the marks of one of the protocol's events.
func marksOf(event any) marks {
	switch e := event.(type) {
	case protocol.VerdictEvent:
		return mark(typeOf, e.Type.Literal()) | mark(sourceOf, e.Source) | mark(actionOf, e.Action)
	case protocol.ViolationEvent:
		return mark(typeOf, e.Type.Literal()) | mark(sourceOf, e.Source) | mark(actionOf, e.Action)
	case protocol.ConsoleEvent:
		return mark(typeOf, e.Type.Literal()) | mark(sourceOf, e.Source) | mark(levelOf, e.Level)
	case protocol.ErrorEvent:
		return mark(typeOf, e.Type.Literal()) | mark(sourceOf, e.Source)
	case protocol.LifecycleEvent:
		m := mark(typeOf, e.Type.Literal()) | mark(sourceOf, e.Source)
		switch e.Step {
		case protocol.StepDropped, protocol.StepEnding, protocol.StepRemoved:
			m |= always
		}
		return m
	default:
		panic(fmt.Sprintf("server: %T is no event of the protocol", event))
	}
}

// picks is a filter in marks: of each dimension what passes, 0 for all.
type picks [len(dimensions)]marks

func (p *picks) pass(m marks) bool {
	if m&always != 0 {
		return true
	}
	for _, wanted := range p {
		if wanted != 0 && m&wanted == 0 {
			return false
		}
	}
	return true
}

// picks fails for a word that nothing has.
func (f *EventFilter) picks() (p picks, err error) {
	for i, list := range [len(dimensions)][]string{f.Types, words(f.Actions), words(f.Sources), words(f.Levels)} {
		for _, word := range list {
			bit := dimensions[i].mark(word)
			if bit == 0 {
				err = errors.Join(err, fmt.Errorf("the filter %s has the unknown word %.40q; it knows %s", dimensions[i].name, word, knownWords(i)))
			}
			p[i] |= bit
		}
	}
	return p, err
}

func words[W ~string](list []W) []string {
	texts := make([]string, 0, len(list))
	for _, w := range list {
		texts = append(texts, string(w))
	}
	return texts
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
		case dimensions[typeOf].name:
			filter.Types = list
		case dimensions[actionOf].name:
			filter.Actions = of[protocol.Action](list)
		case dimensions[sourceOf].name:
			filter.Sources = of[protocol.Source](list)
		case dimensions[levelOf].name:
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
	if _, err := filter.picks(); err != nil {
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
