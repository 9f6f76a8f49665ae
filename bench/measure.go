package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// A contender decides the same requests as the others.
type contender interface {
	// Run decides the first requests of the workload, all of them passes times. It
	// returns how long that took and how many decisions allowed the request.
	Run(requests, passes int) (took time.Duration, allowed int, err error)
}

// An effort says how much to measure.
type effort struct {
	batches int           // of each cell
	batch   time.Duration // the minimum duration of a batch
	warm    time.Duration // how long to warm up before the first batch
	slow    time.Duration // the maximum duration of a batch of all requests
	most    time.Duration // the time limit for all batches of a cell, once there are three
	builds  int
}

var (
	thorough = effort{batches: 41, batch: 10 * time.Millisecond, warm: 300 * time.Millisecond, slow: 500 * time.Millisecond, most: 6 * time.Second, builds: 5}
	brief    = effort{batches: 9, batch: 3 * time.Millisecond, warm: 50 * time.Millisecond, slow: 100 * time.Millisecond, most: time.Second, builds: 2}
)

// samples are durations in nanoseconds.
type samples []float64

func (s samples) least() float64 { return slices.Min(s) }

func (s samples) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// A cell is what was measured of one contender: the duration of one decision.
type cell struct {
	samples
	requests int // how many requests each batch decided
}

// measure runs batches of all contenders in turn.
func measure(all []contender, total int, e effort) ([]cell, error) {
	cells := make([]cell, len(all))
	passes, allowed, spent := make([]int, len(all)), make([]int, len(all)), make([]time.Duration, len(all))
	for i, c := range all {
		var err error
		if cells[i].requests, passes[i], allowed[i], err = calibrate(c, total, e); err != nil {
			return nil, err
		}
	}
	runtime.GC()
	for round := range e.batches {
		for turn := range all {
			i := (round + turn) % len(all)
			if spent[i] > e.most && len(cells[i].samples) >= 3 {
				continue
			}
			took, got, err := all[i].Run(cells[i].requests, passes[i])
			if err != nil {
				return nil, err
			}
			if got != allowed[i]*passes[i] {
				return nil, fmt.Errorf("%T allowed %d of %d × %d requests, and %d × %d before", all[i], got, passes[i], cells[i].requests, passes[i], allowed[i])
			}
			spent[i] += took
			cells[i].samples = append(cells[i].samples, float64(took)/float64(cells[i].requests*passes[i]))
		}
	}
	return cells, nil
}

// calibrate warms a contender up. It returns how many requests, and how many passes
// over them, make a batch. allowed is how many of these requests the contender allows.
func calibrate(c contender, total int, e effort) (requests, passes, allowed int, err error) {
	var took time.Duration
	for begin := time.Now(); time.Since(begin) < e.warm; {
		if took, _, err = c.Run(max(requests, 1), 1); err != nil {
			return 0, 0, 0, err
		}
		if took < e.slow/2 {
			requests = min(total, 2*requests+1)
		}
	}
	for requests, passes = min(total, 16), 1; ; {
		if took, allowed, err = c.Run(requests, passes); err != nil {
			return 0, 0, 0, err
		}
		if took >= e.slow/2 { // or something disturbed it
			again, _, err := c.Run(requests, passes)
			if err != nil {
				return 0, 0, 0, err
			}
			took = min(took, again)
		}
		switch {
		case requests < total && took < e.slow/2:
			requests = min(total, 2*requests)
		case requests == total && took < e.batch:
			passes *= 2
		default:
			return requests, passes, allowed / passes, nil
		}
	}
}
