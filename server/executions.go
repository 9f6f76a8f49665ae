package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// executions are those of a sandbox that wait or run, and the views in which they
// can.
type executions struct {
	max, atOnce int

	mu     sync.Mutex
	all    map[string]*execution // by id
	queue  []*execution          // those that no view has yet, oldest first
	views  []*executionView      // the newest last
	placed int                   // how many a view has
	untold []any                 // what no view was there for
}

func newExecutions(limits *Limits) *executions {
	return &executions{max: limits.Executions, atOnce: limits.ExecutionsAtOnce, all: map[string]*execution{}}
}

// An execution waits for a view, is run by one, and is over.
type execution struct {
	of         *executions
	id, code   string
	args       json.RawMessage
	timeout    time.Duration
	deadline   time.Time
	sandbox    *Sandbox
	over       chan struct{} // closed at the end
	seen       seen
	*isolation // nil if the code runs at the sandbox's origin

	// Guarded by of.mu.
	view   *executionView // that runs it
	issued bool           // the script of its worker has been served
	ended  bool
	end    ending // once it is over
}

// An executionView is an outer frame that follows the sandbox's events, and so
// can be asked to run something.
type executionView struct {
	wake chan struct{} // has one if there is something to send

	mu      sync.Mutex
	pending []any // protocol.Run and protocol.End
}

func (v *executionView) send(message any) {
	v.mu.Lock()
	v.pending = append(v.pending, message)
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default: // it is awake
	}
}

// take returns what is to be sent, as the stream's text: events without an id, so
// that the browser does not take them for ones of the log.
func (v *executionView) take() (text []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, message := range v.pending {
		b, err := json.Marshal(message)
		if err != nil {
			panic(fmt.Sprintf("server: a message cannot be written as JSON: %v", err)) // our own types
		}
		text = append(append(append(text, "event: run\ndata: "...), b...), "\n\n"...)
	}
	v.pending = nil
	return text
}

// admit takes an execution in, if there is room for one more.
func (es *executions) admit(sb *Sandbox, e Execution, i *isolation) (*execution, error) {
	x := &execution{
		of: es, id: NewID(), code: e.Code, args: e.Args, timeout: e.Timeout, deadline: time.Now().Add(e.Timeout),
		sandbox: sb, over: make(chan struct{}), seen: seen{watch: e.Watch},
		isolation: i,
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	if len(es.all) >= es.max {
		return nil, refuse(http.StatusTooManyRequests, "too-many-executions", "This sandbox has %d executions that wait or run, which is the limit. Wait for one of them to end.", es.max)
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
		if x.isolation != nil {
			run.Isolated, run.Call, run.Methods = true, x.isolation.call, x.grant.Methods()
		}
		x.view.send(run)
	}
}

// find returns the execution if it is not over, or nil.
func (es *executions) find(id string) *execution {
	es.mu.Lock()
	defer es.mu.Unlock()
	return es.all[id]
}

// issue reports whether the script of the execution's worker may be served. It may
// be once, so that one client alone has that URL: the service worker tells the
// execution's requests by it.
func (es *executions) issue(x *execution) bool {
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
func (es *executions) enter() *executionView {
	v := &executionView{wake: make(chan struct{}, 1)}
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
func (es *executions) leave(v *executionView) {
	es.mu.Lock()
	es.views = slices.DeleteFunc(es.views, func(other *executionView) bool { return other == v })
	var running []*execution
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
func (x *execution) finish(end ending) {
	es := x.of
	es.mu.Lock()
	defer es.mu.Unlock()
	if x.ended {
		return
	}
	x.ended, x.end = true, end
	delete(es.all, x.id)
	if x.view == nil {
		es.queue = slices.DeleteFunc(es.queue, func(other *execution) bool { return other == x })
	} else {
		x.view.send(protocol.End{Execution: x.id})
		es.placed--
	}
	es.place()
	close(x.over)
}

// late says what has not happened in time.
func (x *execution) late() ending {
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
func (x *execution) outcome() *Outcome {
	o := &Outcome{ID: x.id, Result: x.end.result.Value, Types: x.end.result.Types, Error: x.end.failure}
	x.seen.tell(o)
	return o
}
