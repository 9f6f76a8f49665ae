package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// executions are those of a sandbox that wait or run, and the views in which they
// can.
type executions struct {
	max, atOnce int
	bytes       int64 // of one result

	mu     sync.Mutex
	all    map[string]*Running // by id
	queue  []*Running          // those that no view has yet, oldest first
	views  []*View             // the newest last
	placed int                 // how many a view has
	untold []any               // what no view was there for
}

func newExecutions(limits *Limits) *executions {
	return &executions{max: limits.Executions, atOnce: limits.ExecutionsAtOnce, bytes: limits.ExecutionBytes, all: map[string]*Running{}}
}

// A Running is an execution that waits for a view, or is run by one, or is over.
type Running struct {
	of         *executions
	id, code   string
	args       json.RawMessage
	timeout    time.Duration
	deadline   time.Time
	sandbox    *Sandbox
	over       chan struct{} // closed at the end
	seen       seen
	*Isolation // nil if the code runs at the sandbox's origin

	// Guarded by of.mu.
	view   *View // that runs it
	issued bool  // the script of its worker has been served
	ended  bool
	end    ending // once it is over
}

// A View is an outer frame that follows the sandbox's events, and so
// can be asked to run something.
type View struct {
	// Wake has one if there is something to take.
	Wake chan struct{}

	mu      sync.Mutex
	pending []any // protocol.Run and protocol.End
}

func (v *View) send(message any) {
	v.mu.Lock()
	v.pending = append(v.pending, message)
	v.mu.Unlock()
	select {
	case v.Wake <- struct{}{}:
	default: // it is awake
	}
}

// Take returns the messages of the protocol that are to be sent to the view, once.
func (v *View) Take() []any {
	v.mu.Lock()
	defer v.mu.Unlock()
	messages := v.pending
	v.pending = nil
	return messages
}

// admit takes an execution in, if there is room for one more.
func (es *executions) admit(sb *Sandbox, e Execution, i *Isolation) (*Running, error) {
	x := &Running{
		of: es, id: NewID(), code: e.Code, args: e.Args, timeout: e.Timeout, deadline: time.Now().Add(e.Timeout),
		sandbox: sb, over: make(chan struct{}), seen: seen{watch: e.Watch},
		Isolation: i,
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	if len(es.all) >= es.max {
		return nil, &ExecutionError{
			Code: CodeTooMany, Err: ErrTooManyExecutions,
			Reason: fmt.Sprintf("This sandbox has %d executions that wait or run, which is the limit. Wait for one of them to end.", es.max),
		}
	}
	if e.RequireView && len(es.views) == 0 {
		x.ended, x.end = true, failed(protocol.FailureNoView, "No page shows the sandbox, so there is no browser to run it. %s", sb.howToView())
		close(x.over)
		return x, nil
	}
	es.all[x.id] = x
	es.queue = append(es.queue, x)
	es.place()
	return x, nil
}

// place gives those that wait to the newest view. mu is held.
func (es *executions) place() {
	for len(es.queue) > 0 && len(es.views) > 0 && es.placed < es.atOnce {
		x := es.queue[0]
		es.queue = es.queue[1:]
		x.view = es.views[len(es.views)-1]
		es.placed++
		left := max(time.Millisecond, time.Until(x.deadline))
		run := protocol.Run{Execution: x.id, Revision: x.sandbox.Revision(), Timeout: left.Milliseconds(), Methods: []string{}}
		if x.Isolation != nil {
			run.Isolated, run.Call, run.Methods = true, x.Isolation.call, x.Grant.Methods()
		}
		x.view.send(run)
	}
}

// find returns the execution if it is not over, or nil.
func (es *executions) find(id string) *Running {
	es.mu.Lock()
	defer es.mu.Unlock()
	return es.all[id]
}

// Issue reports whether the script of the execution's worker may be served. It may
// be once, so that one client alone has that URL: the service worker tells the
// execution's requests by it.
func (x *Running) Issue() bool {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	first := !x.issued
	x.issued = true
	return first
}

// viewers is in how many views executions can run now.
func (es *executions) viewers() int {
	es.mu.Lock()
	defer es.mu.Unlock()
	return len(es.views)
}

func (sb *Sandbox) howToView() string {
	return fmt.Sprintf("Open %s, or embed %s.", sb.HostURL(), sb.OuterURL())
}

// enter makes a view known, in which executions can run from now on.
func (es *executions) enter() *View {
	v := &View{Wake: make(chan struct{}, 1)}
	es.mu.Lock()
	defer es.mu.Unlock()
	es.views = append(es.views, v)
	for _, message := range es.untold {
		v.send(message)
	}
	es.untold = nil
	es.place()
	return v
}

// tell sends each view a message, or keeps it for the next one. Of these there are no more
// than of executions.
func (es *executions) tell(message any) {
	es.mu.Lock()
	defer es.mu.Unlock()
	for _, v := range es.views {
		v.send(message)
	}
	if len(es.views) == 0 && len(es.untold) < es.max {
		es.untold = append(es.untold, message)
	}
}

// leave ends what runs in a view that is gone.
func (es *executions) leave(v *View) {
	es.mu.Lock()
	es.views = slices.DeleteFunc(es.views, func(other *View) bool { return other == v })
	var running []*Running
	for _, x := range es.all {
		if x.view == v {
			running = append(running, x)
		}
	}
	es.mu.Unlock()
	for _, x := range running {
		if x.sandbox.alive.Err() != nil {
			continue // it waits for that, too, which says more
		}
		x.finish(failed(protocol.FailureViewClosed, "The page that ran it was closed, or lost the server."))
	}
}

// finish ends the execution, unless it is over. What still runs of it is ended,
// and another takes its place.
func (x *Running) finish(end ending) {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	if x.ended {
		return
	}
	x.ended, x.end = true, end
	delete(es.all, x.id)
	if x.view == nil {
		es.queue = slices.DeleteFunc(es.queue, func(other *Running) bool { return other == x })
	} else {
		x.view.send(protocol.End{Execution: x.id})
		es.placed--
	}
	es.place()
	close(x.over)
}

// late says what has not happened in time.
func (x *Running) late() ending {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	switch {
	case x.view != nil:
		return failed(protocol.FailureTimeout, "It did not end within %s, and was ended.", x.timeout)
	case len(es.views) == 0:
		return failed(protocol.FailureNoView, "No page showed the sandbox within %s, so there was no browser to run it. %s", x.timeout, x.sandbox.howToView())
	default:
		return failed(protocol.FailureTimeout, "It did not begin within %s: %d executions of this sandbox ran before it, which is how many run at once.", x.timeout, es.placed)
	}
}

// outcome is what became of an execution that is over.
func (x *Running) outcome() *Outcome {
	o := &Outcome{ID: x.id, Result: x.end.result.Value, Types: x.end.result.Types, Error: x.end.failure}
	x.seen.tell(o)
	return o
}

// Execution returns the execution with an id if it is not over, or nil.
func (sb *Sandbox) Execution(id string) *Running { return sb.executions.find(id) }

// Viewers returns in how many views executions can run now.
func (sb *Sandbox) Viewers() int { return sb.executions.viewers() }

// Enter makes a view known, in which executions can run from now on. leave ends what runs in
// it.
func (sb *Sandbox) Enter() (view *View, leave func()) {
	view = sb.executions.enter()
	return view, func() { sb.executions.leave(view) }
}

// Tell sends each view a message of the protocol, or keeps it for the next one.
func (sb *Sandbox) Tell(message any) { sb.executions.tell(message) }

// ID returns the execution's id.
func (x *Running) ID() string { return x.id }

// Code returns what is run.
func (x *Running) Code() string { return x.code }

// Args returns the argument, a JSON value, or nil for none.
func (x *Running) Args() json.RawMessage { return x.args }

// Report takes what the page reports of the execution: members of the PageReport union, which
// are the word of untrusted code, and how many it left out.
func (x *Running) Report(page []json.RawMessage, dropped int) {
	for _, raw := range page {
		if err := x.sandbox.recordReport(raw, x); err != nil {
			dropped++
		}
	}
	x.sandbox.RecordDropped(dropped, protocol.SourcePage)
	x.miss(dropped)
}

// Finish ends the execution with what the page says of its end, unless it is over.
func (x *Running) Finish(f *protocol.Finish) { x.finish(endingOf(f, int(x.of.bytes))) }
