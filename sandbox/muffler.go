package sandbox

import (
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// muffledFor is how long lines are left out before a line says how many.
const muffledFor = 5 * time.Second

// A muffler writes to the program's log at a bounded rate, and logs how many lines it left
// out.
type muffler struct {
	log    *slog.Logger
	bucket *rate.Limiter

	mu    sync.Mutex
	left  int         // left out since the last call of tell
	timer *time.Timer // calls tell; nil while nothing is left out
}

func newMuffler(log *slog.Logger, r Rate) *muffler {
	return &muffler{log: log, bucket: r.Limiter()}
}

func (m *muffler) info(text string, attributes ...any) {
	if m.admits() {
		m.log.Info(text, attributes...)
	}
}

func (m *muffler) warn(text string, attributes ...any) {
	if m.admits() {
		m.log.Warn(text, attributes...)
	}
}

func (m *muffler) admits() bool {
	if m.bucket.Allow() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left++
	if m.timer == nil {
		m.timer = time.AfterFunc(muffledFor, m.tell)
	}
	return false
}

// tell logs how many lines were left out, if any.
func (m *muffler) tell() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		return
	}
	m.timer.Stop()
	m.log.Warn("lines were left out of this log: there were too many at once", "count", m.left)
	m.left, m.timer = 0, nil
}
