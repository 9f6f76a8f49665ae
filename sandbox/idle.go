package sandbox

import (
	"sync"
	"time"
)

// LeastIdle is how long nobody must have viewed a sandbox before it may be ended to make room.
// A client that has just made a sandbox needs a moment to open it.
const LeastIdle = time.Minute

// A lifetime ends a sandbox that nobody has used for a while.
type lifetime struct {
	limit time.Duration
	end   func(idle time.Duration)

	mu    sync.Mutex
	views int
	used  time.Time
	timer *time.Timer // nil if the sandbox is kept
	over  bool
}

// begin starts the clock, or starts it again, unless the sandbox is kept.
func (l *lifetime) begin(keep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = time.Now()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if !keep && !l.over {
		l.timer = time.AfterFunc(l.limit, l.expire)
	}
}

func (l *lifetime) touch() { l.view(0) }
func (l *lifetime) enter() { l.view(+1) }
func (l *lifetime) leave() { l.view(-1) }

func (l *lifetime) view(change int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.views += change
	l.used = time.Now()
}

// idle returns how long nobody has used the sandbox. It returns 0 while somebody views the
// sandbox, or if the sandbox is kept.
func (l *lifetime) idle() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil || l.views > 0 {
		return 0
	}
	return time.Since(l.used)
}

// expire ends the sandbox if its time is over. Otherwise it sets the timer again: a use only
// notes its time and does not touch the timer.
func (l *lifetime) expire() {
	idle := l.idle()
	if idle >= l.limit {
		l.end(idle)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Reset(l.limit - idle)
	}
}

func (l *lifetime) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}
