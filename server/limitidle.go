package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// Errors of a sandbox's life.
var (
	// ErrFull: there are as many sandboxes as the server may have, and each is
	// kept, viewed or new.
	ErrFull = errors.New("there are too many sandboxes")
	// ErrRemoved: the sandbox has been removed.
	ErrRemoved = errors.New("the sandbox has been removed")
)

// leastIdle is how long nobody must have viewed a sandbox that makes room for a
// new one. Who has just made one needs a moment to open it.
const leastIdle = time.Minute

// A lifetime ends when nobody has used the sandbox for a while.
type lifetime struct {
	limit time.Duration
	end   func(idle time.Duration)

	mu    sync.Mutex
	views int
	used  time.Time
	timer *time.Timer // nil if the sandbox is kept
}

// begin starts the clock, unless the sandbox is kept.
func (l *lifetime) begin(keep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = time.Now()
	if !keep {
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

// idle returns how long nobody has used the sandbox, 0 while somebody does or if
// it is kept.
func (l *lifetime) idle() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil || l.views > 0 {
		return 0
	}
	return time.Since(l.used)
}

// expire ends the sandbox, or looks again when it may have to. A use only notes
// its time, so that it need not touch the timer.
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
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

// Remove ends a sandbox: its streams end, its memory is freed, and requests to
// its hosts are refused as to one that never was. It reports whether there was
// one with this id. A worker that answers from its memory is waited for as by
// [Sandbox.SetFiles].
func (s *Server) Remove(id string) bool { return s.remove(id, endedRemoved, "it was removed") }

// Close removes every sandbox. What the log has left out until then is told.
func (s *Server) Close() {
	for _, sandbox := range s.all() {
		s.remove(sandbox.id, endedClosed, "the server was closed")
	}
	s.lines.tell()
}

func (s *Server) all() []*Sandbox {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.sandboxes))
}

// tellRest records what still waits for the browser's confirmation, and logs how many
// lines were left out. The sandboxes log nothing afterwards.
func (s *Server) tellRest() {
	for _, sandbox := range s.all() {
		sandbox.refusals.end()
		sandbox.lines.tell()
	}
	s.lines.tell()
}

// remove ends a sandbox, for a reason that is counted and one that is told. When it
// returns no worker answers from its memory any more.
func (s *Server) remove(id, reason, why string) bool {
	s.mu.Lock()
	sandbox := s.sandboxes[id]
	delete(s.sandboxes, id)
	s.awaited = slices.DeleteFunc(s.awaited, func(one *Sandbox) bool { return one == sandbox })
	if s.first == id {
		s.first = s.oldest()
	}
	s.mu.Unlock()
	if sandbox == nil {
		return false
	}
	s.metrics.ended.WithLabelValues(reason).Inc()
	sandbox.life.stop()
	sandbox.refusals.end()
	sandbox.log.append(sandbox.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepRemoved, Text: why}
	})
	sandbox.log.close()
	sandbox.end()
	sandbox.leases.end()
	sandbox.release()
	sandbox.lines.tell()
	s.lines.info("removed", "sandbox", id, "why", why)
	return true
}

// oldest returns the id of the sandbox that was made first. s.mu is held.
func (s *Server) oldest() string {
	var first *Sandbox
	for _, each := range s.sandboxes {
		if first == nil || each.number < first.number {
			first = each
		}
	}
	if first == nil {
		return ""
	}
	return first.id
}

// admit reserves room for one sandbox more, or fails.
func (s *Server) admit() error {
	for {
		s.mu.Lock()
		full := len(s.sandboxes)+s.coming >= s.config.Limits.Sandboxes
		if !full {
			s.coming++
			s.mu.Unlock()
			return nil
		}
		id, idle := s.longestIdle()
		s.mu.Unlock()
		if idle < leastIdle {
			s.metrics.full.Inc()
			return fmt.Errorf("server: %w: %d, which is the limit, and each is kept, viewed or was used within the last minute; remove some or try again later", ErrFull, s.config.Limits.Sandboxes)
		}
		s.remove(id, endedRoom, fmt.Sprintf("nobody had viewed it for %s, and the server needed room", idle.Round(time.Second)))
	}
}

// longestIdle finds whom to end for a new one. s.mu is held.
func (s *Server) longestIdle() (id string, idle time.Duration) {
	for _, each := range s.sandboxes {
		if t := each.life.idle(); t > idle {
			id, idle = each.id, t
		}
	}
	return id, idle
}
