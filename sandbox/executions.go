package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// executions are the waiting and running executions of a sandbox, and the views that can run
// them.
type executions struct {
	max, atOnce int
	bytes       int64 // maximum size of one result

	mu         sync.Mutex
	all        map[string]*Running // by address
	queue      []*Running          // waiting for a view, oldest first
	views      []*View             // newest last
	dispatched int                 // how many executions have a view
	untold     []any               // messages that wait for the next view
}

func newExecutions(limits *Limits) *executions {
	return &executions{max: limits.Executions, atOnce: limits.ExecutionsAtOnce, bytes: limits.ExecutionBytes, all: map[string]*Running{}}
}

// A Running is an execution that waits for a view, runs in one, or is over.
type Running struct {
	of *executions
	// A client may have chosen the id. The address is a random name, and is in no event and
	// no outcome.
	id, address string
	code        string
	args        json.RawMessage
	timeout     time.Duration
	deadline    time.Time
	sandbox     *Sandbox
	over        chan struct{} // closed at the end
	seen        seen
	*Isolation  // nil if the code runs at the sandbox's origin

	// Guarded by of.mu.
	view   *View // the view that runs it
	issued bool  // its worker's script has been served
	ended  bool
	end    outcome // set once it is over
}

// A View is an outer frame that follows the sandbox's events and can therefore be asked to run
// code.
type View struct {
	// Wake receives a value when there are messages to take.
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
	default: // it has been woken already
	}
}

// Take returns the protocol's messages that are to be sent to the view. It returns each
// message once.
func (v *View) Take() []any {
	v.mu.Lock()
	defer v.mu.Unlock()
	messages := v.pending
	v.pending = nil
	return messages
}

// admit adds an execution to the queue. It fails if there are too many.
func (es *executions) admit(sb *Sandbox, e Execution, i *Isolation) (*Running, error) {
	x := &Running{
		of: es, id: cmp.Or(e.ID, NewID()), address: NewID(), code: e.Code, args: e.Args, timeout: e.Timeout, deadline: time.Now().Add(e.Timeout),
		sandbox: sb, over: make(chan struct{}), seen: seen{watch: e.Watch},
		Isolation: i,
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	for _, other := range es.all {
		if other.id == x.id {
			return nil, reject(CodeExists, "An execution of this sandbox with the ID %s is waiting or running. Use another ID, or wait until it has ended.", x.id)
		}
	}
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
	es.all[x.address] = x
	es.queue = append(es.queue, x)
	es.dispatch()
	return x, nil
}

// dispatch assigns waiting executions to the newest view. mu is held.
func (es *executions) dispatch() {
	for len(es.queue) > 0 && len(es.views) > 0 && es.dispatched < es.atOnce {
		x := es.queue[0]
		es.queue = es.queue[1:]
		x.view = es.views[len(es.views)-1]
		es.dispatched++
		left := max(time.Millisecond, time.Until(x.deadline))
		run := protocol.Run{Execution: x.address, Revision: x.sandbox.Revision(), Timeout: left.Milliseconds(), Methods: []string{}}
		if x.Isolation != nil {
			run.Isolated, run.Call, run.Methods = true, x.Isolation.call, x.Grant.Methods()
		}
		x.view.send(run)
	}
}

// find returns the execution with this address, or nil if it is over or unknown.
func (es *executions) find(address string) *Running {
	es.mu.Lock()
	defer es.mu.Unlock()
	return es.all[address]
}

// Issue reports whether the script of the execution's worker may be served. It returns true
// only once, so that only one client has the script's URL. The service worker recognizes the
// execution's requests by that URL.
func (x *Running) Issue() bool {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	first := !x.issued
	x.issued = true
	return first
}

// viewers returns the number of views that can run executions now.
func (es *executions) viewers() int {
	es.mu.Lock()
	defer es.mu.Unlock()
	return len(es.views)
}

func (sb *Sandbox) howToView() string {
	return fmt.Sprintf("Open %s, or embed %s.", sb.HostURL(), sb.OuterURL())
}

// enter registers a view, which can run executions from now on.
func (es *executions) enter() *View {
	v := &View{Wake: make(chan struct{}, 1)}
	es.mu.Lock()
	defer es.mu.Unlock()
	es.views = append(es.views, v)
	for _, message := range es.untold {
		v.send(message)
	}
	es.untold = nil
	es.dispatch()
	return v
}

// tell sends a message to each view. If there is no view, it keeps the message for the next
// one. It keeps at most as many messages as there may be executions.
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

// leave ends the executions of a view that is gone.
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
			continue // Execute sees the removal itself, and its failure says more
		}
		x.finish(failed(protocol.FailureViewClosed, "The page that ran it was closed, or lost the server."))
	}
}

// finish ends the execution, unless it is over already. It tells the view to stop the code,
// and lets the next execution start.
func (x *Running) finish(end outcome) {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	if x.ended {
		return
	}
	x.ended, x.end = true, end
	delete(es.all, x.address)
	if x.view == nil {
		es.queue = slices.DeleteFunc(es.queue, func(other *Running) bool { return other == x })
	} else {
		x.view.send(protocol.End{Execution: x.address})
		es.dispatched--
	}
	es.dispatch()
	close(x.over)
}

// late returns the failure of an execution whose time is up: it says what did not happen in
// time.
func (x *Running) late() outcome {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	switch {
	case x.view != nil:
		return failed(protocol.FailureTimeout, "It did not end within %s, and was ended.", x.timeout)
	case len(es.views) == 0:
		return failed(protocol.FailureNoView, "No page showed the sandbox within %s, so there was no browser to run it. %s", x.timeout, x.sandbox.howToView())
	default:
		return failed(protocol.FailureTimeout, "It did not begin within %s: %d executions of this sandbox ran before it, which is how many run at once.", x.timeout, es.dispatched)
	}
}

// outcome returns the outcome of an execution that is over.
func (x *Running) outcome() *Outcome {
	o := &Outcome{ID: x.id, Result: x.end.result.Value, Types: x.end.result.Types, Error: x.end.failure}
	x.seen.tell(o)
	return o
}

// Execution returns the execution with this address, or nil if it is over or unknown.
func (sb *Sandbox) Execution(address string) *Running { return sb.executions.find(address) }

// Viewers returns the number of views that can run executions now.
func (sb *Sandbox) Viewers() int { return sb.executions.viewers() }

// Enter registers a view, which can run executions from now on. leave removes the view and
// ends the executions that run in it.
func (sb *Sandbox) Enter() (view *View, leave func()) {
	view = sb.executions.enter()
	return view, func() { sb.executions.leave(view) }
}

// Tell sends a message of the protocol to each view. If there is no view, it keeps the message
// for the next one.
func (sb *Sandbox) Tell(message any) { sb.executions.tell(message) }

// Address returns the random name that is part of the execution's URLs. The browser and the
// server name the execution by it. Code of the sandbox that knew it could ask for the
// execution's files before the execution does.
func (x *Running) Address() string { return x.address }

// Code returns the execution's code.
func (x *Running) Code() string { return x.code }

// Args returns the argument as a JSON value, or nil for none.
func (x *Running) Args() json.RawMessage { return x.args }

// Report records what the page of a view reports about the execution: members of the
// PageReport union, and how many reports the page left out. The reports are the word of
// untrusted code.
func (x *Running) Report(view string, page []json.RawMessage, dropped int) {
	for _, raw := range page {
		if err := x.sandbox.recordReport(raw, reporter{view, x}); err != nil {
			dropped++
		}
	}
	x.sandbox.recordDropped(dropped, protocol.SourcePage, view)
	x.miss(dropped)
}

// Finish ends the execution with the outcome that the page reports, unless it is over already.
func (x *Running) Finish(f *protocol.Outcome) {
	end := outcomeOf(f, int(x.of.bytes))
	if end.failure != nil {
		end.failure.Stack = x.sandbox.originals(end.failure.Stack)
	}
	x.finish(end)
}
