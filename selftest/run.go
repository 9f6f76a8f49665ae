package selftest

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Glass creates the sandboxes under test. The policy is YAML.
type Glass interface {
	Sandbox(name string, files map[string][]byte, policy string) (id, outerURL string, err error)
	Remove(id string)
}

// A Run is one test in one browser. A page drives it, see [Run.drive].
type Run struct {
	id          string
	suffix      string // of every token: keeps runs apart, and cannot be guessed
	glass       Glass
	version     string
	limit       time.Duration
	log         *slog.Logger
	plan        *plan
	certificate *tls.Certificate
	plain       *plain
	closed      func()
	unopened    *time.Timer // ends the run if no browser opens it

	mu          sync.Mutex
	driven      bool
	cancel      context.CancelCauseFunc // nil until a page drives the run
	pairs       []pair                  // in the order of the visits
	containment string
	started     int    // sandboxes that started to run their techniques
	failures    string // why the last sandbox did not start
	failed      int
	report      *Report
	done        chan struct{}
}

// A pair is a batch's two visits.
type pair struct{ glass, control *visit }

// newRun opens what a run needs. closed is called once when the run has ended, before Done is
// closed.
func newRun(config Config, o Options, closed func()) (*Run, error) {
	p, err := makePlan(o.Only)
	if err != nil {
		return nil, err
	}
	certificate, err := selfSigned()
	if err != nil {
		return nil, fmt.Errorf("making the canary's certificate: %w", err)
	}
	r := &Run{
		id: strings.ToLower(rand.Text()), suffix: "x" + strings.ToLower(rand.Text()), glass: config.Glass, version: config.Version,
		limit: o.Limit, log: config.Log, plan: p, certificate: certificate, closed: closed, done: make(chan struct{}),
	}
	r.plain, err = openPlain("allowed" + r.suffix)
	return r, err
}

// Path returns the path of the run's page on the host page's origin. The first browser that
// opens it is tested.
func (r *Run) Path() string { return runsPath + r.id }

// Done is closed when the run has ended and its report is available.
func (r *Run) Done() <-chan struct{} { return r.done }

// Report returns the result of the run, or nil before its end.
func (r *Run) Report() *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.report
}

// Progress returns how many techniques have run, and how many can run.
func (r *Run) Progress() (ran, all int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := map[string]bool{} // by batch, because a batch may be visited more than once
	for _, p := range r.pairs {
		if isDone(p.glass) && isDone(p.control) && !done[p.glass.batch.Name] {
			done[p.glass.batch.Name] = true
			ran += len(p.glass.batch.Rows)
		}
	}
	return ran, len(r.plan.rows) - len(r.plan.left)
}

func isDone(v *visit) bool {
	select {
	case <-v.done:
		return true
	default:
		return false
	}
}

// Cancel ends the run.
func (r *Run) Cancel() {
	r.mu.Lock()
	cancel := r.cancel
	r.mu.Unlock()
	if cancel != nil {
		cancel(EndedCancelled)
	}
	r.abandon(EndedCancelled)
}

// abandon ends a run that no page drives.
func (r *Run) abandon(why Ended) {
	r.mu.Lock()
	driven := r.driven
	r.driven = true
	r.mu.Unlock()
	if !driven {
		r.finish(Report{Ended: why, Started: time.Now()})
	}
}

var errDriven = errors.New("another page drives this run already, or it has ended")

// drive runs the test by sending orders to a page. It returns when the test is over, or when
// ctx ends because the page is gone. agent is the browser's User-Agent.
func (r *Run) drive(ctx context.Context, agent string, tell func(Order)) error {
	r.mu.Lock()
	if r.driven {
		r.mu.Unlock()
		return errDriven
	}
	r.driven = true
	inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	r.cancel = cancel
	r.mu.Unlock()
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(EndedPageGone) })()
	timed := time.AfterFunc(r.limit, func() { cancel(EndedTimeLimit) })
	defer timed.Stop()

	var telling sync.Mutex
	say := func(o Order) {
		telling.Lock()
		defer telling.Unlock()
		tell(o)
	}
	started := time.Now()
	if err := r.plan.forEngine(engineOf(agent)); err != nil {
		r.log.Error("what is known of the browser's engine cannot be read, so nothing is", "error", err)
	}
	if err := r.probe(inner, say); err != nil {
		cancel(err)
	} else {
		r.runAll(inner, say)
	}
	why, _ := errors.AsType[Ended](context.Cause(inner))
	report := Report{Browser: browserOf(agent), Started: started, Seconds: int(time.Since(started).Seconds()), Ended: why}
	r.finish(report)
	say(Order{Kind: OrderEnd, View: r.Report().View()})
	return nil
}

// finish judges what was recorded, and closes everything.
func (r *Run) finish(report Report) {
	r.mu.Lock()
	pairs := slices.Clone(r.pairs)
	report.Containment = r.containment
	if report.Ended == EndedNoSandbox {
		report.Detail = clip(r.failures, maxDetail)
	}
	r.mu.Unlock()
	for _, p := range pairs {
		p.glass.trap.close()
		p.control.trap.close()
	}
	r.plain.close()
	report.Rows, report.Strays = []Row{}, []Stray{}
	found := map[string]Row{}
	for _, p := range pairs {
		for _, row := range results(p.glass, p.control, r.plan.known) {
			if found[row.Name].Seen == "" || row.Outcome == Escaped {
				found[row.Name] = row
			}
		}
		if stray, ok := strayOf(p.glass); ok {
			report.Strays = append(report.Strays, stray)
		}
	}
	for _, technique := range r.plan.rows {
		row, ran := found[technique.Name]
		if !ran {
			row = Row{Name: technique.Name, Outcome: NotRun, Why: cmp.Or(r.plan.left[technique.Name], WhyEnded)}
		}
		report.Rows = append(report.Rows, row)
	}
	report.Bellglass = r.version
	slices.SortFunc(report.Rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	r.mu.Lock()
	r.report = &report
	r.mu.Unlock()
	r.closed()
	close(r.done)
}
