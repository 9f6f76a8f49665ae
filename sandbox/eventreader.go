package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// Events follows the sandbox's log through the filter. It first yields the kept events after
// the given id, or all of them for 0, and then each new event as it happens. The id may belong
// to an event that does not pass the filter. The events have types of package protocol, such
// as [protocol.VerdictEvent].
//
// Events ends after the last event when the sandbox is removed or the server ends. When ctx is
// done, or the filter has an unknown word, the last thing that it yields is an error.
//
// A caller that falls behind gets a lifecycle event with the step dropped, which says how many
// events it has missed. This event takes the place of the last missed one. A caller that names
// an id which the log never had gets such an event too, and then everything that is kept.
//
// Following is not viewing: a sandbox whose events are only followed by this method still ends
// by [Limits.Idle].
func (sb *Sandbox) Events(ctx context.Context, filter EventFilter, after int64) iter.Seq2[protocol.Event, error] {
	return func(yield func(protocol.Event, error) bool) {
		reader, err := sb.Follow(filter, after)
		if err != nil {
			yield(nil, fmt.Errorf("sandbox %s: %w", sb.id, err))
			return
		}
		for over := false; ; {
			events, changed := reader.Read()
			for _, each := range events {
				if !yield(each.Event(), nil) {
					return
				}
			}
			switch {
			case len(events) > 0:
				continue
			case over:
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(nil, fmt.Errorf("sandbox: following the events of sandbox %s: %w", sb.id, context.Cause(ctx)))
				return
			case <-sb.alive.Done():
				over = true // the last event of its log says so
			case <-sb.registry.ending.Done():
				over = true
			}
		}
	}
}

// Event decodes the JSON that append has encoded.
func (e *Entry) Event() protocol.Event {
	var event protocol.Event
	var err error
	switch e.fields.kind {
	case protocol.VerdictEvent{}.Type.Literal():
		event, err = decodeAs[protocol.VerdictEvent](e.JSON)
	case protocol.ViolationEvent{}.Type.Literal():
		event, err = decodeAs[protocol.ViolationEvent](e.JSON)
	case protocol.ConsoleEvent{}.Type.Literal():
		event, err = decodeAs[protocol.ConsoleEvent](e.JSON)
	case protocol.ErrorEvent{}.Type.Literal():
		event, err = decodeAs[protocol.ErrorEvent](e.JSON)
	default:
		event, err = decodeAs[protocol.LifecycleEvent](e.JSON)
	}
	if err != nil {
		panic(fmt.Sprintf("sandbox: an event of ours cannot be read: %v", err)) // these are our own types
	}
	return event
}

func decodeAs[E protocol.Event](b []byte) (protocol.Event, error) {
	var event E
	err := json.Unmarshal(b, &event)
	return event, err
}

// A Reader reads a log from a given event on. Go callers and HTTP streams follow logs with it.
// It is not safe for concurrent use.
type Reader struct {
	sandbox *Sandbox
	filter  EventFilter // checked
	last    int64       // see Last
	// unknown is the id that the caller named and this log never had. It is 0 if there is
	// none, or once the caller has been told.
	unknown int64
}

// Follow returns a reader that reads the log as [Sandbox.Events] does, starting after the
// event with the given id.
func (sb *Sandbox) Follow(filter EventFilter, after int64) (*Reader, error) {
	filter, err := filter.checked()
	if err != nil {
		return nil, err
	}
	r := &Reader{sandbox: sb, filter: filter, last: after}
	switch newest := sb.log.newest(); {
	case after < 0:
		return nil, fmt.Errorf("%d is not an event ID; IDs start at 1, and 0 stands for the beginning", after)
	case after > newest:
		// The reader starts from the beginning. If it waited for this id, it would stay silent
		// until the log reaches it.
		r.last, r.unknown = 0, after
	}
	return r, nil
}

// Last returns the id of the newest event that the reader has passed, whether or not the event
// passed the filter. It is 0 before the first event.
func (r *Reader) Last() int64 { return r.last }

// Read returns the next events, a limited number at a time. At the end of the log it returns
// no events, and a channel that is closed by the next event.
func (r *Reader) Read() (events []Entry, changed <-chan struct{}) {
	for {
		next, dropped, changed := r.sandbox.log.after(r.last)
		if len(next) == 0 {
			return nil, changed
		}
		first, last := next[0].ID, next[len(next)-1].ID
		switch {
		case r.unknown > 0:
			text := fmt.Sprintf("this log has no event %d yet, of which it was asked what comes after; it begins anew with the oldest that is kept", r.unknown)
			events = append(events, r.sandbox.note(first-1, text))
		case dropped > 0 && r.last == 0:
			events = append(events, r.sandbox.note(first-1, fmt.Sprintf("%d earlier events are no longer kept", dropped)))
		case dropped > 0:
			r.sandbox.registry.config.Observer.Missed(int(dropped))
			events = append(events, r.sandbox.note(first-1, fmt.Sprintf("%d events were dropped while this page did not listen", dropped)))
		}
		for _, each := range next {
			if r.filter.passes(each.fields) {
				events = append(events, each)
			}
		}
		r.last, r.unknown = last, 0
		if len(events) > 0 {
			return events, changed
		}
	}
}

// note returns an event that tells a follower about lost events. It takes the place of the
// last of them, whose id it has.
func (sb *Sandbox) note(id int64, text string) Entry {
	note, err := json.Marshal(protocol.LifecycleEvent{
		Head: protocol.Head{ID: id, Time: time.Now().UTC(), Source: protocol.SourceServer, Revision: sb.Revision()},
		Step: protocol.StepDropped, Text: text,
	})
	if err != nil {
		panic(fmt.Sprintf("sandbox: an event cannot be written as JSON: %v", err)) // these are our own types
	}
	return Entry{ID: id, JSON: note, fields: fieldsOf(protocol.LifecycleEvent{Step: protocol.StepDropped})}
}
