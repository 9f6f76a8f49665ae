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

// A sandbox's log keeps at most this many events, and at most this many bytes of them. Both
// limits are needed: page code chooses the number of events and their length.
const (
	LogLength = 2_000
	logBytes  = 4 << 20
)

// A follower reads at most this many events and bytes at a time, but always at least one
// event. This bounds the memory that a follower still holds after it has stopped reading.
const (
	readLength = 128
	readBytes  = 64 << 10
)

// An eventLog keeps a sandbox's newest events, each encoded once, and wakes the log's
// followers. IDs count up from 1 without gaps.
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
	fields *eventFields // a pointer, because each reader copies its entries
}

// eventLogs are the logs of all sandboxes. They share one memory budget.
type eventLogs struct {
	max  int64 // bytes
	used atomic.Int64
	// list returns every log.
	list func() []*eventLog
	// appended is called with the type and the action of each event, unless it is nil.
	appended func(kind, action string)

	squeezing sync.Mutex
}

func newEventLog(all *eventLogs) *eventLog {
	return &eventLog{all: all, next: 1, changed: make(chan struct{})}
}

// append calls event with a head that already holds the id, the time, and the revision, and
// appends the result. A closed log appends nothing. event must not call methods of the
// sandbox: a change of the sandbox holds the sandbox's lock while it appends.
func (l *eventLog) append(revision int64, event func(protocol.Head) any) {
	l.mu.Lock()
	if !l.closed {
		made := event(protocol.Head{ID: l.next, Time: time.Now().UTC(), Revision: revision})
		b, err := json.Marshal(made)
		if err != nil {
			panic(fmt.Sprintf("sandbox: an event cannot be written as JSON: %v", err)) // these are our own types
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

// trim drops the oldest events beyond the given length and number of bytes. It clears each
// dropped entry, because the slice still refers to it and would keep its memory.
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

// newest returns the id of the newest event that the log ever had, or 0 if there was none.
func (l *eventLog) newest() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - 1
}

// close subtracts the log from the shared memory. The events that it keeps can still be read.
func (l *eventLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.all.used.Add(-l.bytes)
}

// squeeze trims each log to half of its equal share when the logs together exceed their
// memory. So a log that fills the memory loses the most, and a short log loses nothing. Half
// of the memory is then free, so squeeze does not run again soon.
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

// after returns kept events with an id above the given one, oldest first. It also returns how
// many events were dropped before the first of them, and a channel that is closed by the next
// event. The log may have more events after the last one that it returns.
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
