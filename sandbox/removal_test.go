package sandbox

import (
	"errors"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// counts is an observer that counts refusals and ends.
type counts struct {
	unobserved
	refused int
	ended   []Reason
}

func (c *counts) Refused()                        { c.refused++ }
func (c *counts) Ended(_ *Sandbox, reason Reason) { c.ended = append(c.ended, reason) }

func (c *counts) last() Reason {
	if len(c.ended) == 0 {
		return ""
	}
	return c.ended[len(c.ended)-1]
}

func noFiles(t *testing.T, r *Registry) *vfs.Snapshot {
	t.Helper()
	files, err := r.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Each way in which a sandbox can end has its own reason, and the last event of the log gives
// it.
func TestSandboxesEndForAReason(t *testing.T) {
	seen := &counts{}
	inBubble(t, Config{Limits: Limits{Sandboxes: 2, Idle: time.Hour}, Observer: seen}, 0, func(t *testing.T, r *Registry, _ []*Sandbox) {
		create := func(spec Spec) *Sandbox {
			t.Helper()
			spec.Files = noFiles(t, r)
			sb, err := r.Create(spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			return sb
		}
		want := func(sb *Sandbox, reason Reason) {
			t.Helper()
			if seen.last() != reason || r.Get(sb.ID()) != nil || sb.Alive().Err() == nil {
				t.Errorf("it has ended as %v, want %q", seen.ended, reason)
			}
			entries, _ := sb.log.read(0)
			if e, is := entries[len(entries)-1].Event().(protocol.LifecycleEvent); !is || e.Step != protocol.StepRemoved {
				t.Errorf("its log ends with %+v", e)
			}
			if _, err := sb.SetPolicy(nil); !errors.Is(err, ErrRemoved) {
				t.Errorf("changed afterwards: %v", err)
			}
		}

		one := create(Spec{})
		if err := one.Remove(7); err == nil || r.Get(one.ID()) == nil {
			t.Errorf("at another revision it is removed: %v", err)
		} else if stale, is := errors.AsType[*StaleError](err); !is || stale.Revision != 1 || stale.Expected != 7 {
			t.Errorf("at another revision: %v", err)
		}
		if err := one.Remove(1); err != nil {
			t.Fatal(err)
		}
		want(one, EndedRemoved)

		expiring := create(Spec{TTL: time.Minute, Keep: true})
		pass(time.Minute)
		want(expiring, EndedExpired)

		short := create(Spec{Idle: time.Minute})
		long := create(Spec{Idle: 2 * time.Hour})
		pass(time.Minute)
		want(short, EndedIdle)
		pass(time.Hour - time.Minute)
		want(long, EndedIdle)

		kept, viewed := create(Spec{Keep: true}), create(Spec{})
		leave := viewed.View()
		pass(LeastIdle)
		if _, err := r.Create(Spec{Files: noFiles(t, r)}, nil); !errors.Is(err, ErrFull) || seen.refused != 1 {
			t.Errorf("one too many: %v, %d refused", err, seen.refused)
		}
		leave()
		pass(LeastIdle)
		create(Spec{})
		want(viewed, EndedRoom)
		r.Expel(kept.ID(), EndedReplaced, "another takes its place")
		want(kept, EndedReplaced)
	})
}

// A registry that ends makes nothing any more, and followers of a log are told.
func TestRegistryEnds(t *testing.T) {
	r := newTestRegistry(t, Config{})
	sb := mustCreate(t, r)
	files := noFiles(t, r)
	r.End()
	r.End() // a second call changes nothing
	var steps []protocol.Step
	for event, err := range sb.Events(t.Context(), EventFilter{}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, event.(protocol.LifecycleEvent).Step)
	}
	if len(steps) != 2 || steps[1] != protocol.StepEnding || r.Ending().Err() == nil || !r.IsEnding() {
		t.Errorf("the log has %v", steps)
	}
	if _, err := r.Create(Spec{Files: files}, nil); !errors.Is(err, ErrEnding) {
		t.Errorf("a sandbox is made: %v", err)
	}
	if _, err := sb.SetPolicy(nil); err != nil {
		t.Errorf("what there is cannot be changed: %v", err)
	}
}

// The attachment is made before other code can find the sandbox. The advisor is asked about
// blocked requests.
func TestAttachment(t *testing.T) {
	r := newTestRegistry(t, Config{})
	advice := protocol.Remedy{Advice: "ask"}
	sb, err := r.Create(Spec{Files: noFiles(t, r)}, func(sb *Sandbox) Attachment {
		if r.Get(sb.ID()) != nil {
			t.Error("it can be had already")
		}
		return Attachment{Value: "mine", Advisor: fixed(advice)}
	})
	if err != nil {
		t.Fatal(err)
	}
	sb.RecordVerdict(protocol.VerdictEvent{URL: "https://a.example/", Verdict: protocol.Verdict{Action: protocol.ActionBlock}}, "")
	sb.RecordLeaving("", protocol.ViolationReport{Target: "https://a.example/"})
	entries, _ := sb.log.read(1)
	verdict, _ := entries[0].Event().(protocol.VerdictEvent)
	leaving, _ := entries[1].Event().(protocol.ViolationEvent)
	if sb.Attached() != "mine" || verdict.Advice != "ask" || leaving.Advice != "ask" {
		t.Errorf("%v, %+v, %+v", sb.Attached(), verdict, leaving)
	}
}

type fixed protocol.Remedy

func (f fixed) Advise(string, string, string) protocol.Remedy { return protocol.Remedy(f) }
func (f fixed) AdviseLeaving() protocol.Remedy                { return protocol.Remedy(f) }
