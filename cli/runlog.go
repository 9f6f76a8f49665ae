package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
)

// A runLog prints the events of a run's sandbox, and counts blocked requests. The
// sandbox exists only for the run, so every block in its log belongs to the run,
// whichever worker or frame made the request.
type runLog struct {
	blocked int
	// dropped says how much of the log is missing; "" if nothing is.
	dropped string

	over chan struct{}
}

func followRun(ctx context.Context, sandbox *server.Sandbox, w io.Writer) *runLog {
	l := &runLog{over: make(chan struct{})}
	go func() {
		defer close(l.over)
		for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
			if err != nil {
				l.dropped = err.Error()
				return
			}
			l.take(event, w)
		}
	}()
	return l
}

func (l *runLog) take(event protocol.Event, w io.Writer) {
	text := ""
	switch e := event.(type) {
	case protocol.ConsoleEvent:
		text = fmt.Sprintf("[%s] %s", e.Level, e.Text)
	case protocol.ErrorEvent:
		text = fmt.Sprintf("[uncaught] %s", e.Text)
	case protocol.ViolationEvent:
		l.blocked++
		text = fmt.Sprintf("[blocked] %s (%s): %s", e.Target, e.Directive, e.Reason)
	case protocol.VerdictEvent:
		switch {
		case e.Missing():
			text = fmt.Sprintf("[not found] %s %s: %s", e.Method, e.URL, e.Reason)
		case e.Failed() && e.Status > 0:
			text = fmt.Sprintf("[failed] %s %s: status %d", e.Method, e.URL, e.Status)
		case e.Failed():
			text = fmt.Sprintf("[failed] %s %s: %s", e.Method, e.URL, e.Reason)
		case e.Action == protocol.ActionAllow:
			return
		default:
			l.blocked++
			text = fmt.Sprintf("[blocked] %s %s: %s", e.Method, e.URL, e.Reason)
		}
	case protocol.LifecycleEvent:
		if e.Step != protocol.StepDropped {
			return
		}
		l.dropped = e.Text
		text = fmt.Sprintf("[dropped] %s", e.Text)
	}
	fmt.Fprintln(w, message(text))
}

// wait returns after the sandbox's last event. missing is the reason why the log is
// incomplete, or nil.
func (l *runLog) wait(missing error) {
	<-l.over
	if missing != nil {
		l.dropped = missing.Error()
	}
}

// blocks returns the error of --fail-on-block, or nil. A dropped event may have been a
// block.
func (l *runLog) blocks() error {
	switch {
	case l.blocked > 0:
		return fmt.Errorf("%s blocked", count(l.blocked, "request"))
	case l.dropped != "":
		return fmt.Errorf("blocked requests cannot be ruled out: %s", l.dropped)
	}
	return nil
}
