package sandbox

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// The events in an outcome are bounded.
func TestExecutionSeesSoMuch(t *testing.T) {
	x := &Running{id: "x"}
	for range seenLength + 5 {
		x.note(protocol.ConsoleEvent{})
	}
	x.miss(2)
	var o Outcome
	x.seen.tell(&o)
	if len(o.Console) != seenLength || o.Dropped != 7 || !o.Truncated {
		t.Errorf("%d events, %d dropped", len(o.Console), o.Dropped)
	}
	x = &Running{id: "x"}
	long := protocol.ErrorEvent{Text: strings.Repeat("x", seenBytes/2)}
	for range 3 {
		x.note(long)
	}
	o = Outcome{}
	x.seen.tell(&o)
	if len(o.Errors) != 2 || o.Dropped != 1 || o.Verdicts == nil {
		t.Errorf("%d errors, %d dropped, verdicts %v", len(o.Errors), o.Dropped, o.Verdicts)
	}
}

// Neither code's reports nor allowed requests displace a block from an outcome.
func TestExecutionKeepsBlocks(t *testing.T) {
	x := &Running{id: "x"}
	for range seenLength + 1 {
		x.note(protocol.ConsoleEvent{})
		x.note(protocol.VerdictEvent{Verdict: protocol.Verdict{Action: protocol.ActionAllow}})
	}
	x.note(protocol.VerdictEvent{URL: "http://blocked.example/", Verdict: protocol.Verdict{Action: protocol.ActionBlock}})
	var o Outcome
	x.seen.tell(&o)
	if len(o.Verdicts) != seenLength || o.Verdicts[seenLength-1].Action != protocol.ActionBlock || o.Dropped != 3 {
		t.Errorf("%d verdicts, the last %+v, %d dropped", len(o.Verdicts), o.Verdicts[len(o.Verdicts)-1], o.Dropped)
	}
}
