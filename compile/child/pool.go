package child

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/bellglass/bellglass/compile/transform"
)

// maxRequest is the maximum size of a request, in bytes.
const maxRequest = 16 << 20

var errClosed = errors.New("the pool is closed")

// limits are those of a pool.
type limits struct {
	together time.Duration // for a request beside others
	alone    time.Duration // for a request that is tried again
	idle     time.Duration // after which a child without work ends
}

// A Pool transforms sources and bundles packages in child processes. It is safe for concurrent
// use.
type Pool struct {
	limits limits
	// together runs all requests. One that fails there is tried again alone: in suspects if it
	// missed the deadline, and in neighbors if the child ended before.
	together, suspects, neighbors *lane
	// bundles runs all bundles. neighborBundles retries those whose child ended.
	bundles, neighborBundles *lane
}

// New returns a pool. It starts a child with the first request.
func New() *Pool {
	return newPool(limits{together: 2 * time.Second, alone: 10 * time.Second, idle: time.Minute})
}

func newPool(l limits) *Pool {
	return &Pool{
		limits:   l,
		together: newLane(l.together, l.idle, max(2, runtime.GOMAXPROCS(0))), suspects: newLane(l.alone, l.idle, 1), neighbors: newLane(l.alone, l.idle, 1),
		bundles: newLane(bundleTime, l.idle, max(2, runtime.GOMAXPROCS(0))), neighborBundles: newLane(bundleTime, l.idle, 1),
	}
}

// Close ends the children. Later requests fail.
func (p *Pool) Close() {
	for _, l := range []*lane{p.together, p.suspects, p.neighbors, p.bundles, p.neighborBundles} {
		l.close()
	}
}

// Scan is [transform.Scan] in a child. It fails with a [*transform.LimitError] if the source needs
// too much time or memory, and with another error if no child starts.
func (p *Pool) Scan(s transform.Source) (transform.Output, error) { return p.output(scan, s, nil) }

// Names is [transform.Names] in a child. Its errors are those of [Pool.Scan].
func (p *Pool) Names(s transform.Source) ([]transform.Name, error) {
	if transform.Refused(s) != nil {
		return nil, nil
	}
	a, err := p.do(request{Operation: names, Source: s})
	return a.Names, err
}

// Emit is [transform.Emit] in a child. Its errors are those of [Pool.Scan].
func (p *Pool) Emit(s transform.Source, targets map[string]transform.Target) (transform.Output, error) {
	return p.output(emit, s, targets)
}

// Style is [transform.Style] in a child. Its errors are those of [Pool.Scan].
func (p *Pool) Style(file, text string) (transform.Styled, error) {
	s := transform.Source{Path: file, Text: text}
	if problems := transform.Refused(s); problems != nil {
		return transform.Styled{Problems: problems}, nil
	}
	a, err := p.do(request{Operation: style, Source: s})
	return a.Styled, err
}

func (p *Pool) output(op operation, s transform.Source, targets map[string]transform.Target) (transform.Output, error) {
	if problems := transform.Refused(s); problems != nil {
		return transform.Output{Problems: problems}, nil
	}
	a, err := p.do(request{Operation: op, Source: s, Targets: targets})
	return a.Output, err
}

// do runs a request beside others, and again alone if that fails.
func (p *Pool) do(r request) (response, error) {
	if r.size() > maxRequest {
		return response{}, &transform.LimitError{Limit: fmt.Sprintf("The file and what it imports have more than %d MiB", maxRequest>>20)}
	}
	a, err := p.together.do(context.Background(), r)
	switch {
	case errors.Is(err, errSlow):
		a, err = p.suspects.do(context.Background(), r)
	case errors.Is(err, errGone):
		a, err = p.neighbors.do(context.Background(), r)
	}
	switch {
	case errors.Is(err, errSlow):
		return a, &transform.LimitError{Limit: fmt.Sprintf("Compiling the file takes longer than %g s", p.limits.alone.Seconds())}
	case errors.Is(err, errGone):
		return a, &transform.LimitError{Limit: fmt.Sprintf("Compiling the file needs more than %d GiB of memory or %d MiB of stack", MaxMemory>>30, maxStack>>20)}
	case err == nil && a.Panic != "":
		return a, fmt.Errorf("the compiler has a defect: %s", a.Panic)
	}
	return a, err
}
