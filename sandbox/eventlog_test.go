package sandbox

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// newLogs makes n logs that share a memory.
func newLogs(n int, memory int64) (*eventLogs, []*eventLog) {
	all := &eventLogs{max: memory}
	var logs []*eventLog
	for range n {
		logs = append(logs, newEventLog(all))
	}
	all.list = func() []*eventLog { return logs }
	return all, logs
}

func newLog() *eventLog {
	_, logs := newLogs(1, 1<<30)
	return logs[0]
}

// read reads a log to its end, as a follower does. It returns how many events were dropped
// before the first.
func (l *eventLog) read(id int64) (all []Entry, dropped int64) {
	for {
		events, gone, _ := l.after(id)
		if len(all) == 0 {
			dropped = gone
		}
		if len(events) == 0 {
			return all, dropped
		}
		all = append(all, events...)
		id = events[len(events)-1].ID
	}
}

func (l *eventLog) add(n int, text string) {
	for range n {
		l.append(1, func(h protocol.Head) any { return protocol.ConsoleEvent{Head: h, Text: text} })
	}
}

func TestEventLog(t *testing.T) {
	l := newLog()
	events, dropped, changed := l.after(0)
	if len(events) != 0 || dropped != 0 {
		t.Fatalf("an empty log has %d events, dropped %d", len(events), dropped)
	}
	l.add(3, "")
	select {
	case <-changed:
	default:
		t.Error("an event does not wake who follows")
	}
	if events, dropped, _ = l.after(1); len(events) != 2 || events[0].ID != 2 || dropped != 0 {
		t.Errorf("after 1: %d events, dropped %d", len(events), dropped)
	}
	l.add(LogLength, "")
	if events, dropped = l.read(1); len(events) != LogLength || events[0].ID != 4 || dropped != 2 {
		t.Errorf("after overflow: %d events from %d, dropped %d", len(events), events[0].ID, dropped)
	}
	for i, e := range events {
		if e.ID != int64(i+4) || len(e.JSON) == 0 {
			t.Fatalf("event %d of the log has the id %d and %d bytes", i, e.ID, len(e.JSON))
		}
	}
	for _, id := range []int64{int64(LogLength + 3), 1 << 60} {
		if events, _, _ = l.after(id); len(events) != 0 {
			t.Errorf("after %d: %d events", id, len(events))
		}
	}
}

// Page code chooses how long an event is. The log holds no more than its limit in bytes, and
// frees dropped entries at once, although the slice still has room for them.
func TestEventLogIsBoundedInBytes(t *testing.T) {
	l := newLog()
	l.add(LogLength, "")
	l.add(LogLength, strings.Repeat("x", MaxText))
	events, dropped := l.read(0)
	size := 0
	for _, e := range events {
		size += len(e.JSON)
	}
	if size > logBytes || size < logBytes-2*MaxText || dropped != int64(2*LogLength-len(events)) {
		t.Errorf("%d events with %d bytes are kept, %d dropped", len(events), size, dropped)
	}
	if held := l.all.used.Load(); held != int64(size) {
		t.Errorf("%d bytes are counted, %d are kept", held, size)
	}
}

func TestDroppedEventsAreFreed(t *testing.T) {
	l := newLog()
	l.add(LogLength, "")
	before := l.kept
	l.add(1, strings.Repeat("x", MaxText))
	if before[0].JSON != nil || before[1].JSON == nil {
		t.Errorf("the dropped event holds %d bytes, the next one %d", len(before[0].JSON), len(before[1].JSON))
	}
}

// What a follower holds while it writes is bounded too.
func TestFollowersReadInSteps(t *testing.T) {
	for _, row := range []struct {
		text string
		want int
	}{{"", readLength}, {strings.Repeat("x", readBytes/4), 3}, {strings.Repeat("x", 2*readBytes), 1}} {
		l := newLog()
		l.add(readLength+1, row.text)
		if events, _, _ := l.after(0); len(events) != row.want {
			t.Errorf("with texts of %d bytes one step has %d events, want %d", len(row.text), len(events), row.want)
		}
		if events, _ := l.read(0); len(events) == 0 || events[len(events)-1].ID != int64(readLength+1) {
			t.Errorf("with texts of %d bytes the steps do not come to the end", len(row.text))
		}
	}
}

// Many logs share a memory: long ones are cut, and short ones are not.
func TestEventLogsShareAMemory(t *testing.T) {
	const memory = 8 << 20
	all, logs := newLogs(10, memory)
	quiet := logs[9]
	quiet.add(20, "kept")
	for _, l := range logs[:9] {
		l.add(400, strings.Repeat("x", MaxText))
		if used := all.used.Load(); used > memory {
			t.Fatalf("the logs hold %d bytes of %d", used, memory)
		}
	}
	if events, dropped := quiet.read(0); len(events) != 20 || dropped != 0 {
		t.Errorf("the quiet log has %d of its 20 events, %d dropped", len(events), dropped)
	}
	for i, l := range logs[:9] {
		if events, _ := l.read(0); len(events) == 0 || events[len(events)-1].ID != 400 {
			t.Errorf("log %d has not its last event", i)
		}
	}

	// A closed log frees its memory once, and appends nothing more.
	for _, l := range logs {
		l.close()
		l.add(1, "late")
	}
	if used := all.used.Load(); used != 0 {
		t.Errorf("%d bytes are counted of logs that are closed", used)
	}
	if events, _ := quiet.read(0); len(events) != 20 {
		t.Errorf("a closed log reads %d events, want the 20 that it kept", len(events))
	}
}
