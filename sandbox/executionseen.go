package sandbox

import (
	"slices"
	"sync"

	"github.com/bellglass/bellglass/protocol"
)

// An outcome holds at most this many events that code reports, and as many verdicts, with at
// most this many bytes of text in each of the two. Page code chooses the number and the length
// of both. The budgets are separate so that reports cannot displace the worker's verdicts.
const (
	seenLength = 2_000
	seenBytes  = 2 << 20
)

// A budget counts the events of one kind in an outcome, and their bytes.
type budget struct{ length, bytes int }

func (b *budget) fits(size int) bool {
	return b.length < seenLength && b.bytes+size <= seenBytes
}

func (b *budget) add(size int) {
	b.length++
	b.bytes += size
}

func (b *budget) free(size int) {
	b.length--
	b.bytes -= size
}

// seen collects the events of an execution.
type seen struct {
	watch func(event any)

	mu         sync.Mutex
	told       bool
	page       budget // events that code reports
	worker     budget // verdicts
	dropped    int
	console    []protocol.ConsoleEvent
	errors     []protocol.ErrorEvent
	verdicts   []protocol.VerdictEvent
	violations []protocol.ViolationEvent
}

// name returns the id of the execution, or "" for a nil one.
func (x *Running) name() string {
	if x == nil {
		return ""
	}
	return x.id
}

// note adds an event of the log to the execution's events. For a nil execution it does
// nothing.
func (x *Running) note(event any) {
	if x == nil {
		return
	}
	s := &x.seen
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told {
		return
	}
	size, of := sizeOf(event), &s.page
	if verdict, is := event.(protocol.VerdictEvent); is {
		of = &s.worker
		for verdict.Action == protocol.ActionBlock && !of.fits(size) && s.dropAllowed() {
		}
	}
	if !of.fits(size) {
		s.dropped++
		return
	}
	of.add(size)
	switch event := event.(type) {
	case protocol.ConsoleEvent:
		s.console = append(s.console, event)
	case protocol.ErrorEvent:
		s.errors = append(s.errors, event)
	case protocol.VerdictEvent:
		s.verdicts = append(s.verdicts, event)
	case protocol.ViolationEvent:
		s.violations = append(s.violations, event)
	default:
		panic("sandbox: an event of an unknown type was noted for an execution")
	}
	if s.watch != nil {
		s.watch(event)
	}
}

// dropAllowed removes the oldest verdict that allowed a request, to make room for a block. It
// returns false if there is none.
func (s *seen) dropAllowed() bool {
	at := slices.IndexFunc(s.verdicts, func(v protocol.VerdictEvent) bool { return v.Action == protocol.ActionAllow })
	if at < 0 {
		return false
	}
	s.worker.free(sizeOf(s.verdicts[at]))
	s.verdicts = slices.Delete(s.verdicts, at, at+1)
	s.dropped++
	return true
}

// miss adds to the number of dropped events those that were dropped before they arrived.
func (x *Running) miss(count int) {
	if x == nil || count <= 0 {
		return
	}
	x.seen.mu.Lock()
	defer x.seen.mu.Unlock()
	x.seen.dropped += count
}

// tell writes the events into the outcome. Later events are not added to it.
func (s *seen) tell(o *Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = true
	o.Console, o.Errors, o.Verdicts, o.Violations = orEmpty(s.console), orEmpty(s.errors), orEmpty(s.verdicts), orEmpty(s.violations)
	o.Dropped, o.Truncated = s.dropped, s.dropped > 0
}

// orEmpty makes a nil slice marshal as [] instead of null.
func orEmpty[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}

func sizeOf(event any) int {
	switch e := event.(type) {
	case protocol.ConsoleEvent:
		return len(e.Text) + len(e.Place.URL)
	case protocol.ErrorEvent:
		return len(e.Text) + len(e.Stack) + len(e.Place.URL)
	case protocol.VerdictEvent:
		return len(e.Method) + len(e.URL) + len(e.Rule) + len(e.Reason) + len(e.File)
	case protocol.ViolationEvent:
		return len(e.Target) + len(e.Directive) + len(e.Rule) + len(e.Reason) + len(e.File) + len(e.Place.URL)
	default:
		return 0
	}
}
