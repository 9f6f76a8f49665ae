package sandbox

import (
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// The browser and the page report the same refusals, in either order. Some refusals are
// reported by one of them only. Each refusal becomes one event. If both report it, the event
// is the browser's.
const (
	// allowlistDirective stands for Connection-Allowlist in a page's report.
	allowlistDirective = "connection-allowlist"
	// navigationDirective stands for a navigation that the client script prevented.
	navigationDirective = "navigation"
	// confirmTime is how long a page's report waits for the browser's, which was measured to
	// arrive within 0.1 s.
	confirmTime = 2 * time.Second
	// rememberTime is how long a report by one side suppresses the same report by the other.
	rememberTime = 10 * time.Second
	// mostRefusals bounds the mentions that wait or are remembered.
	mostRefusals = 1_000
	// comparedLength is how many bytes of a target are compared: the client script cuts long
	// targets.
	comparedLength = 4 << 10
)

// A refusal is the key that both the browser's and the page's report contain.
type refusal struct{ target, directive string }

func refusalKey(r protocol.ViolationReport) refusal {
	return refusal{r.Target[:min(len(r.Target), comparedLength)], r.Directive}
}

// A mention is a refusal that only one side has reported.
type mention struct {
	browser bool
	// event is the browser's event.
	event protocol.ViolationEvent
	// record adds the page's report to the log after the wait. It is nil if the log has the
	// event already.
	record func()
	// timer ends the wait.
	timer *time.Timer
}

// refusals keeps the mentions. The zero value is ready to use. Both reports may arrive at the
// same time, so a caller holds the lock from its search for a mention until it keeps its own.
type refusals struct {
	mu       sync.Mutex
	mentions map[refusal][]*mention
	count    int
	ended    bool // reports do not wait any more
}

// matchLocked removes and returns the oldest mention by the browser or by the page. It returns
// nil if there is none.
func (rs *refusals) matchLocked(r refusal, browser bool) *mention {
	i := slices.IndexFunc(rs.mentions[r], func(m *mention) bool { return m.browser == browser })
	if i < 0 {
		return nil
	}
	found := rs.mentions[r][i]
	rs.removeLocked(r, found)
	return found
}

// keepLocked keeps a mention until it is matched or its time is over. It reports whether there
// was room.
func (rs *refusals) keepLocked(r refusal, m *mention) bool {
	if rs.ended || rs.count >= mostRefusals {
		return false
	}
	if rs.mentions == nil {
		rs.mentions = map[refusal][]*mention{}
	}
	rs.mentions[r] = append(rs.mentions[r], m)
	rs.count++
	wait := rememberTime
	if m.record != nil {
		wait = confirmTime
	}
	m.timer = time.AfterFunc(wait, func() {
		rs.mu.Lock()
		defer rs.mu.Unlock() // held while recording, so that nothing is recorded after end
		if rs.removeLocked(r, m) && m.record != nil {
			m.record()
		}
	})
	return true
}

// end records the waiting reports, since the browser's will not arrive any more.
func (rs *refusals) end() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, mentions := range rs.mentions {
		for _, m := range mentions {
			m.timer.Stop()
			if m.record != nil {
				m.record()
			}
		}
	}
	rs.mentions, rs.count, rs.ended = nil, 0, true
}

func (rs *refusals) removeLocked(r refusal, m *mention) (found bool) {
	i := slices.Index(rs.mentions[r], m)
	if i < 0 {
		return false
	}
	rs.count--
	if rs.mentions[r] = slices.Delete(rs.mentions[r], i, i+1); len(rs.mentions[r]) == 0 {
		delete(rs.mentions, r)
	}
	return true
}

// RecordReportedViolation adds a violation that the browser has reported, with the given
// source. If an execution has reported the same violation, the log has it already and
// RecordReportedViolation adds nothing.
func (sb *Sandbox) RecordReportedViolation(source protocol.Source, r protocol.ViolationReport) {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	told := rs.matchLocked(of, false)
	if told != nil && told.record == nil {
		return
	}
	event := sb.recordViolation(r, source, reporter{})
	if told == nil {
		rs.keepLocked(of, &mention{browser: true, event: event})
	}
}

// recordPageViolation adds a violation that the page has reported, unless the browser reports
// it too. A report of an execution does not wait, because it belongs into the execution's
// outcome.
func (sb *Sandbox) recordPageViolation(r protocol.ViolationReport, from reporter) {
	if from.execution == nil {
		sb.recordUnlessReported(r, from)
	} else {
		from.execution.note(sb.recordExecutionViolation(r, from))
	}
}

// recordUnlessReported adds a violation that the page has reported, after it has given the
// browser time to report it.
func (sb *Sandbox) recordUnlessReported(r protocol.ViolationReport, from reporter) {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	record := func() { sb.recordViolation(r, protocol.SourcePage, from) }
	if onlyPageTells(r) {
		record()
	} else if told := rs.matchLocked(of, true); told == nil && !rs.keepLocked(of, &mention{record: record}) {
		record()
	}
}

// recordExecutionViolation returns the event of a violation that an execution has reported.
// That is the browser's event if there is one. Otherwise it adds a new event. The caller notes
// the event after the lock has been released: noting calls a function of the program, which
// may remove the sandbox.
func (sb *Sandbox) recordExecutionViolation(r protocol.ViolationReport, from reporter) protocol.ViolationEvent {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if onlyPageTells(r) {
		return sb.recordViolation(r, protocol.SourcePage, from)
	}
	if told := rs.matchLocked(of, true); told != nil {
		told.event.Execution, told.event.View = from.execution.name(), from.view
		return told.event
	}
	event := sb.recordViolation(r, protocol.SourcePage, from)
	rs.keepLocked(of, &mention{})
	return event
}

// onlyPageTells reports whether the browser never reports such a refusal.
func onlyPageTells(r protocol.ViolationReport) bool {
	_, isFeature := features[protocol.Feature(r.Directive)]
	return isFeature || r.Directive == allowlistDirective || r.Directive == navigationDirective
}
