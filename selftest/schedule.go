package selftest

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// atOnce is how many batches run at the same time. For a browser all outer frames are on
	// one host. It opens six connections to a host, and each frame keeps one open.
	atOnce = 4
	// probeLimit is how long a browser may take to load a page on a name below localhost.
	probeLimit = 20 * time.Second
	// visitLimit is how long a page may take to reach its end. A technique gives up after 5 s.
	// The rest is for starting a sandbox on a slow machine.
	visitLimit = 60 * time.Second
	// settle is how long the canary keeps listening after all pages are done.
	settle = 2 * time.Second
	// visits is how many times a technique that is known to get out may try.
	visits = 4
	// giveUp is how many sandboxes may fail to start before the run ends, if none has started.
	giveUp = atOnce
)

// probe checks that the browser resolves names below localhost to this machine.
func (r *Run) probe(ctx context.Context, say func(Order)) error {
	page, signal := "probe"+r.suffix, "probes"+r.suffix
	reached := make(chan struct{})
	r.plain.await(signal, func([]end) { close(reached) })
	r.plain.show(page, map[string][]byte{"/index.html": fmt.Appendf(nil,
		"<!doctype html><meta charset=utf-8><title>Probe</title><script>fetch('%s/done', { method: 'POST', body: '[]' })</script>", r.plain.origin(signal))})
	say(Order{Kind: OrderOpen, ID: page, URL: r.plain.origin(page) + "/", Column: WithoutGlass, Title: "names below localhost"})
	defer say(Order{Kind: OrderClose, ID: page})
	late := time.NewTimer(probeLimit)
	defer late.Stop()
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-late.C:
		return EndedNames
	}
}

// runAll runs every batch, and then listens a little longer.
func (r *Run) runAll(ctx context.Context, say func(Order)) {
	var workers sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		workers.Go(func() {
			for number := range next {
				for round := range visits {
					if !r.plan.again(r.runBatch(ctx, number, round, say)) {
						break
					}
				}
			}
		})
	}
	for number := range r.plan.batches {
		select {
		case next <- number:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	late := time.NewTimer(settle)
	defer late.Stop()
	select {
	case <-late.C:
	case <-ctx.Done():
	}
}

// runBatch shows a batch's two pages and waits until both are done. So a technique under glass
// has at least as much time as the control takes. runBatch returns the results, or nil if the
// pages could not be shown.
func (r *Run) runBatch(ctx context.Context, number, round int, say func(Order)) []Row {
	b := r.plan.batches[number]
	number += round * len(r.plan.batches) // no two visits share a name
	glass, err := r.open(number, b, UnderGlass)
	if err != nil {
		r.drop(glass, err)
		return nil
	}
	control, err := r.open(number, b, WithoutGlass)
	if err != nil {
		r.drop(glass, nil)
		r.drop(control, err)
		return nil
	}
	r.mu.Lock()
	r.pairs = append(r.pairs, pair{glass, control})
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, visitLimit)
	defer cancel()
	for _, v := range []*visit{glass, control} {
		say(Order{Kind: OrderOpen, ID: v.id, URL: v.url, Column: v.column, Title: b.Rows[0].Family})
	}
	for _, v := range []*visit{glass, control} {
		select {
		case <-v.done:
		case <-ctx.Done():
			r.fail(v, "it took too long, or the run ended before")
		}
	}
	r.count(glass)
	for _, v := range []*visit{glass, control} {
		say(Order{Kind: OrderClose, ID: v.id, URL: v.gone()})
		r.close(v)
	}
	found := results(glass, control, r.plan.known)
	say(Order{Kind: OrderRows, Rows: found})
	if ctx.Err() != nil {
		return nil
	}
	return found
}

// count ends the run if no sandbox starts at all.
func (r *Run) count(v *visit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v.failed == "" {
		r.started++
		return
	}
	r.failed, r.failures = r.failed+1, v.failed
	if r.started == 0 && r.failed >= giveUp {
		r.cancel(EndedNoSandbox)
	}
}

// drop closes a visit that could not be opened completely.
func (r *Run) drop(v *visit, err error) {
	if err != nil {
		r.log.Error("the self-test cannot open a page", "error", err)
	}
	if v == nil {
		return
	}
	r.close(v)
	v.trap.close()
}
