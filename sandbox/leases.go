package sandbox

import (
	"maps"
	"math"
	"sync"
	"time"
)

// What a change has promised when it returns: a load that begins from then on
// sees it. A worker that answered from its memory would break that, one that asks
// for each load would be slow. So a worker gets the state on a lease, and a change
// returns only when each lease on an older revision is over: its holder has said
// that it was told of a newer one, or its time is up. A holder that is dead, asleep
// or cut off so delays a change by a lease's time, and no longer.
//
// The two clocks are never compared. The worker counts from before it asked, the
// server from after it was asked, so the worker's count is over first.
const (
	// LeaseTime is how long a lease lasts here, and so how long a change may wait.
	LeaseTime = time.Second
	// leaseTold is what the worker is told: less, should its clock go more slowly.
	leaseTold = LeaseTime * 9 / 10
)

// leases are those of one sandbox. Only who listens to the changes gets one, for
// nobody else could be told. There are no more of them than requests for the state
// are let through in a lease's time. Safe for concurrent use.
type leases struct {
	mu        sync.Mutex
	newest    int64          // the one revision on which leases are given
	listeners map[string]int // open streams of changes, by holder
	held      map[lease]time.Time
	ended     chan struct{} // closed when a lease ends before its time
}

// A lease is a holder's on one revision. The holder is a name that a worker gives
// itself for its life.
type lease struct {
	holder   string
	revision int64
}

func newLeases() *leases {
	return &leases{listeners: map[string]int{}, held: map[lease]time.Time{}, ended: make(chan struct{})}
}

// listen notes a stream of changes, until leave is called.
func (l *leases) listen(holder string) (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners[holder]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		// The leases stay: that a stream was cut does not say that the worker is gone.
		if l.listeners[holder]--; l.listeners[holder] == 0 {
			delete(l.listeners, holder)
		}
	}
}

// begin says that there is a new revision: none older is leased from now on.
func (l *leases) begin(revision int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newest = revision
}

// end gives no more leases, and returns when none is left, after LeaseTime at the
// latest.
func (l *leases) end() {
	const afterAll = math.MaxInt64
	l.begin(afterAll)
	l.wait(afterAll, nil)
}

// grant gives a lease on what is sent to the holder next, and returns how long the
// holder may count on it; 0 if it may not.
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

// told takes the holder's word that it was told of a revision, and so answers from
// none older any more.
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

// wait returns when no lease on an older revision is left, after LeaseTime at the
// latest, or when over is closed. begin has been called with the revision.
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

// older returns when the last of the leases on older revisions is over.
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

// Listen notes a stream of changes to a holder, until the function is called.
func (sb *Sandbox) Listen(holder string) (leave func()) { return sb.leases.listen(holder) }

// Lease gives the holder a lease on the revision that is sent to it next, and returns how
// long it may count on that; 0 if it may not.
func (sb *Sandbox) Lease(holder string, revision int64) time.Duration {
	return sb.leases.grant(holder, revision)
}

// Told takes a holder's word that it was told of a revision, and so answers from none older
// any more.
func (sb *Sandbox) Told(holder string, revision int64) { sb.leases.told(holder, revision) }
