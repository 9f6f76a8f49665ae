package sandbox

import (
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// The browser and the page tell of the same refusal, in either order, and some
// refusals only one of them tells. Each is one event, and where both tell it that is
// the browser's.
const (
	// allowlistDirective stands for Connection-Allowlist in a report of the page.
	allowlistDirective = "connection-allowlist"
	// navigationDirective stands for a navigation that the client script kept from
	// beginning.
	navigationDirective = "navigation"
	// confirmTime is how long the page's word waits for the browser's, which was
	// seen to come within 0.1 s.
	confirmTime = 2 * time.Second
	// rememberTime is how long what one has told keeps the other from telling it
	// again.
	rememberTime = 10 * time.Second
	// Beyond so many nothing waits and nothing is remembered.
	mostRefusals = 1_000
	// Of a target so much is compared, in bytes: the client script cuts a long one.
	comparedLength = 4 << 10
)

// A refusal is what the browser and the page name alike.
type refusal struct{ target, directive string }

func refusalKey(r protocol.ViolationReport) refusal {
	return refusal{r.Target[:min(len(r.Target), comparedLength)], r.Directive}
}

// A mention is a refusal that one of the two has told.
type mention struct {
	browser bool
	// event is the browser's.
	event protocol.ViolationEvent
	// record adds the page's word to the log, after it has waited. It is nil where the
	// log has the event already.
	record func()
	// timer ends the wait.
	timer *time.Timer
}

// refusals keep what only one of the two has told yet. The zero value is ready. Callers
// hold the lock from the search for a mention until they keep their own, because both
// words may come at the same time.
type refusals struct {
	mu       sync.Mutex
	mentions map[refusal][]*mention
	count    int
	ended    bool // nothing waits any more
}

// matchLocked takes out the oldest mention of the one or the other, or returns nil.
func (rs *refusals) matchLocked(r refusal, browser bool) *mention {
	i := slices.IndexFunc(rs.mentions[r], func(m *mention) bool { return m.browser == browser })
	if i < 0 {
		return nil
	}
	found := rs.mentions[r][i]
	rs.removeLocked(r, found)
	return found
}

// keepLocked remembers a mention until it is matched or its time is over. It reports
// whether there was room.
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
		defer rs.mu.Unlock() // so that none records after the end
		if rs.removeLocked(r, m) && m.record != nil {
			m.record()
		}
	})
	return true
}

// end records what waits, since nothing comes that could confirm it.
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

// RecordReportedViolation adds what the browser has reported, by the word of the source.
// What an execution has told is in the log by its own word, and is not told again.
func (sb *Sandbox) RecordReportedViolation(source protocol.Source, r protocol.ViolationReport) {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	told := rs.matchLocked(of, false)
	if told != nil && told.record == nil {
		return
	}
	event := sb.recordViolation(r, source, nil)
	if told == nil {
		rs.keepLocked(of, &mention{browser: true, event: event})
	}
}

// recordPageViolation adds what the page has told, unless the browser tells it, too.
// An execution ends with what it has told, so its word does not wait.
func (sb *Sandbox) recordPageViolation(r protocol.ViolationReport, x *Running) {
	if x == nil {
		sb.recordUnlessReported(r)
	} else {
		x.note(sb.recordExecutionViolation(r, x))
	}
}

// recordUnlessReported adds what the page has told after the browser had time to tell
// it.
func (sb *Sandbox) recordUnlessReported(r protocol.ViolationReport) {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	record := func() { sb.recordViolation(r, protocol.SourcePage, nil) }
	if onlyPageTells(r) {
		record()
	} else if told := rs.matchLocked(of, true); told == nil && !rs.keepLocked(of, &mention{record: record}) {
		record()
	}
}

// recordExecutionViolation returns the browser's event of what an execution has told,
// or adds its own. The caller notes it: that calls a program's function, which may
// remove the sandbox, so the lock is not held.
func (sb *Sandbox) recordExecutionViolation(r protocol.ViolationReport, x *Running) protocol.ViolationEvent {
	rs, of := &sb.refusals, refusalKey(r)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if onlyPageTells(r) {
		return sb.recordViolation(r, protocol.SourcePage, x)
	}
	if told := rs.matchLocked(of, true); told != nil {
		told.event.Execution = x.name()
		return told.event
	}
	event := sb.recordViolation(r, protocol.SourcePage, x)
	rs.keepLocked(of, &mention{})
	return event
}

// onlyPageTells says whether the browser reports nothing of a refusal.
func onlyPageTells(r protocol.ViolationReport) bool {
	_, isFeature := features[protocol.Feature(r.Directive)]
	return isFeature || r.Directive == allowlistDirective || r.Directive == navigationDirective
}
