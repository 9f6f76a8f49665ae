package server

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// A sandbox's log keeps this many events, and no more than this many bytes of
// them: page code chooses both how many there are and how long.
const (
	logLength = 2_000
	logBytes  = 4 << 20
)

// An eventLog keeps a sandbox's newest events, encoded once, and wakes who
// follows it. Ids count up from 1 without gaps.
type eventLog struct {
	mu      sync.Mutex
	kept    []entry // oldest first; readers hold parts of it, so it is never written to
	bytes   int
	next    int64
	changed chan struct{} // closed by the next append
}

type entry struct {
	id   int64
	json []byte
}

func newEventLog() *eventLog { return &eventLog{next: 1, changed: make(chan struct{})} }

// append adds the event that the function makes from its head, which holds id
// and time already.
func (l *eventLog) append(event func(protocol.Head) any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, err := json.Marshal(event(protocol.Head{ID: l.next, Time: time.Now().UTC()}))
	if err != nil {
		panic(fmt.Sprintf("server: an event cannot be written as JSON: %v", err)) // our own types
	}
	l.kept = append(l.kept, entry{l.next, b})
	l.bytes += len(b)
	l.next++
	for len(l.kept) > logLength || l.bytes > logBytes {
		l.bytes -= len(l.kept[0].json)
		l.kept = l.kept[1:]
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// after returns the kept events with an id above the given one, how many were
// dropped in between, and a channel that is closed by the next event.
func (l *eventLog) after(id int64) (events []entry, dropped int64, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, e := range l.kept {
		if e.id > id {
			return l.kept[i:], e.id - id - 1, l.changed
		}
	}
	return nil, 0, l.changed
}
