package sandbox

import (
	"maps"
	"math"
	"sync"
	"time"
)

// When a change returns, every load that starts afterwards sees it. A worker that answered
// from memory forever would break this promise, and a worker that asked before each load would
// be slow. So a worker gets the state on a lease.
//
// A change returns only when every lease on an older revision is over. A lease is over when
// its holder has confirmed that it knows of a newer revision, or when the lease expires. A
// worker that is dead, asleep, or cut off therefore delays a change by the time of one lease,
// and no longer.
//
// The clocks of server and worker are never compared. The worker counts from before it asked,
// and the server from after it was asked. So the worker's lease expires first.
const (
	// LeaseTime is how long the server counts a lease, and so the longest that a change may
	// wait.
	LeaseTime = time.Second
	// leaseTold is the lease time that the worker is told. It is shorter, in case the worker's
	// clock is slower.
	leaseTold = LeaseTime * 9 / 10
)

// leases tracks the leases of one sandbox. Only a worker with an open change stream gets one,
// because no other worker could be notified. The number of leases is bounded by the number of
// state requests that the server accepts within LeaseTime. leases is safe for concurrent use.
type leases struct {
	mu        sync.Mutex
	newest    int64          // leases are granted on this revision only
	listeners map[string]int // number of open change streams, by holder
	held      map[lease]time.Time
	ended     chan struct{} // closed when a lease ends before it expires
}

// A lease belongs to one holder and one revision. The holder is a name that a worker gives
// itself for its lifetime.
type lease struct {
	holder   string
	revision int64
}

func newLeases() *leases {
	return &leases{listeners: map[string]int{}, held: map[lease]time.Time{}, ended: make(chan struct{})}
}

// listen registers a change stream of a holder, until leave is called.
func (l *leases) listen(holder string) (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners[holder]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		// The leases stay: a stream may be cut while its worker lives on.
		if l.listeners[holder]--; l.listeners[holder] == 0 {
			delete(l.listeners, holder)
		}
	}
}

// begin announces a new revision. Leases on older revisions are not granted any more.
func (l *leases) begin(revision int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newest = revision
}

// end stops granting leases. It returns when no lease is left, after LeaseTime at the latest.
func (l *leases) end() {
	const afterAll = math.MaxInt64
	l.begin(afterAll)
	l.wait(afterAll, nil)
}

// grant grants a lease on the state that is sent to the holder next. It returns how long the
// holder may rely on the lease, or 0 if the holder gets none.
func (l *leases) grant(holder string, revision int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if holder == "" || l.listeners[holder] == 0 || revision != l.newest {
		return 0
	}
	now := time.Now()
	maps.DeleteFunc(l.held, func(_ lease, until time.Time) bool { return !until.After(now) })
	l.held[lease{holder, revision}] = now.Add(LeaseTime)
	return leaseTold
}

// told notes that the holder has confirmed a revision, and so does not answer from an older
// one any more.
func (l *leases) told(holder string, revision int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := len(l.held)
	maps.DeleteFunc(l.held, func(each lease, _ time.Time) bool { return each.holder == holder && each.revision < revision })
	if len(l.held) < before {
		close(l.ended)
		l.ended = make(chan struct{})
	}
}

// wait returns when no lease on an older revision is left, after LeaseTime at the latest, or
// when over is closed. begin must have been called with the revision.
func (l *leases) wait(revision int64, over <-chan struct{}) {
	for {
		last, ended := l.older(revision)
		left := time.Until(last)
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ended:
		case <-over:
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// older returns when the last lease on an older revision expires.
func (l *leases) older(revision int64) (last time.Time, ended <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for each, until := range l.held {
		if each.revision < revision && until.After(last) {
			last = until
		}
	}
	return last, l.ended
}

// Listen registers a change stream of a holder, until leave is called.
func (sb *Sandbox) Listen(holder string) (leave func()) { return sb.leases.listen(holder) }

// Lease grants the holder a lease on the version that is sent to it next. It returns how long
// the holder may rely on the lease, or 0 if the holder gets none.
//
// Nobody gets a lease on a warm version. The event with the files lets a view open the entry before
// the change is complete. A worker that has not heard of the files must then ask the server.
func (sb *Sandbox) Lease(holder string, v Version) time.Duration {
	if v.Warm {
		return 0
	}
	return sb.leases.grant(holder, v.Revision)
}

// Told notes that the holder has confirmed a revision, and so does not answer from an older
// one any more.
func (sb *Sandbox) Told(holder string, revision int64) { sb.leases.told(holder, revision) }
