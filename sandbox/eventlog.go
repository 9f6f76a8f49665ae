package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// A sandbox's log keeps this many events, and no more than this many bytes of
// them: page code chooses both how many there are and how long.
const (
	LogLength = 2_000
	logBytes  = 4 << 20
)

// Who follows a log gets this much of it at a time, or one event: what a
// follower that has stopped reading still holds is bounded by it.
const (
	readLength = 128
	readBytes  = 64 << 10
)

// An eventLog keeps a sandbox's newest events, encoded once, and wakes who
// follows it. Ids count up from 1 without gaps.
type eventLog struct {
	all *eventLogs

	mu      sync.Mutex
	kept    []Entry // oldest first
	bytes   int64
	next    int64
	changed chan struct{} // closed by the next append
	closed  bool
}

// An Entry is an event as a log keeps it.
type Entry struct {
	ID     int64
	JSON   []byte
	fields *eventFields // a pointer, since each reader copies its entries
}

// eventLogs are the logs of all sandboxes, which share a memory.
type eventLogs struct {
	max  int64 // bytes
	used atomic.Int64
	// list returns every log.
	list func() []*eventLog
	// appended is told the type and action of each event; nil to tell nobody.
	appended func(kind, action string)

	squeezing sync.Mutex
}

func newEventLog(all *eventLogs) *eventLog {
	return &eventLog{all: all, next: 1, changed: make(chan struct{})}
}

// append adds the event that the function makes from its head, which holds id, time and
// revision already. A closed log takes no more. The function must not ask the sandbox for
// anything: a change of the sandbox holds that one's lock while it appends.
func (l *eventLog) append(revision int64, event func(protocol.Head) any) {
	l.mu.Lock()
	if !l.closed {
		made := event(protocol.Head{ID: l.next, Time: time.Now().UTC(), Revision: revision})
		b, err := json.Marshal(made)
		if err != nil {
			panic(fmt.Sprintf("sandbox: an event cannot be written as JSON: %v", err)) // our own types
		}
		fields := fieldsOf(made)
		l.kept = append(l.kept, Entry{l.next, b, fields})
		if l.all.appended != nil {
			l.all.appended(fields.kind, string(fields.action))
		}
		l.count(int64(len(b)))
		l.next++
		l.trim(LogLength, logBytes)
		close(l.changed)
		l.changed = make(chan struct{})
	}
	l.mu.Unlock()
	l.all.squeeze()
}

// trim drops the oldest events beyond so many and so many bytes. An entry's
// memory is freed here, not when the slice moves.
func (l *eventLog) trim(length int, bytes int64) {
	for len(l.kept) > length || l.bytes > bytes {
		l.count(-int64(len(l.kept[0].JSON)))
		l.kept[0] = Entry{}
		l.kept = l.kept[1:]
	}
}

func (l *eventLog) count(bytes int64) {
	l.bytes += bytes
	l.all.used.Add(bytes)
}

// newest is the id of the newest event there has been, 0 if there was none.
func (l *eventLog) newest() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - 1
}

// close takes the log out of the common memory. What it keeps can be read on.
func (l *eventLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.all.used.Add(-l.bytes)
}

// squeeze cuts each log to half of its equal share when together they have
// grown beyond their memory. So whoever fills the memory loses the most, a short
// log loses nothing, and it takes as much again to come back here.
func (a *eventLogs) squeeze() {
	if a.used.Load() <= a.max || !a.squeezing.TryLock() {
		return
	}
	defer a.squeezing.Unlock()
	logs := a.list()
	share := a.max / int64(2*max(1, len(logs)))
	for _, l := range logs {
		l.mu.Lock()
		if !l.closed {
			l.trim(LogLength, share)
		}
		l.mu.Unlock()
	}
}

// after returns kept events with an id above the given one, beginning with the
// oldest, how many were dropped before it, and a channel that is closed by the
// next event. There may be more of them after the last that it returns.
func (l *eventLog) after(id int64) (events []Entry, dropped int64, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == 0 || id >= l.next-1 {
		return nil, 0, l.changed
	}
	first := l.kept[0].ID
	from := int(max(0, id+1-first))
	to, bytes := from+1, len(l.kept[from].JSON)
	for to < len(l.kept) && to-from < readLength && bytes+len(l.kept[to].JSON) <= readBytes {
		bytes += len(l.kept[to].JSON)
		to++
	}
	return slices.Clone(l.kept[from:to]), max(0, first-id-1), l.changed
}
