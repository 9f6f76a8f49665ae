package child

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A lane runs requests in one child, which it starts when there is a request. It ends the child
// after a while without work.
type lane struct {
	deadline time.Duration // of a request, without its time in the queue
	idle     time.Duration
	slots    chan struct{} // one for each request that runs

	mu      sync.Mutex
	closed  bool
	process *process
	running int
	timer   *time.Timer
}

func newLane(deadline, idle time.Duration, requests int) *lane {
	return &lane{deadline: deadline, idle: idle, slots: make(chan struct{}, requests)}
}

// do runs a request. It fails with errSlow, errGone, the cause of a done ctx, or the reason why no
// child starts.
func (l *lane) do(ctx context.Context, r request) (response, error) {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return response{}, context.Cause(ctx)
	}
	defer func() { <-l.slots }()
	p, err := l.begin()
	if err != nil {
		return response{}, fmt.Errorf("the compiler's process does not start: %w", err)
	}
	defer l.finish()
	return p.do(ctx, r, l.deadline)
}

// begin returns the child, which it starts if necessary.
func (l *lane) begin() (*process, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	if l.process == nil || l.process.ended() {
		p, err := start()
		if err != nil {
			return nil, err
		}
		l.process = p
	}
	l.running++
	if l.timer != nil {
		l.timer.Stop()
	}
	return l.process, nil
}

func (l *lane) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running--; l.running == 0 {
		l.timer = time.AfterFunc(l.idle, l.rest)
	}
}

// rest ends a child without work.
func (l *lane) rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running == 0 && l.process != nil {
		l.process.end()
		l.process = nil
	}
}

// close ends the child for good.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.process != nil {
		l.process.kill()
		<-l.process.gone
		l.process = nil
	}
}
