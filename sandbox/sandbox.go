package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
)

// A Sandbox is one origin with its files, its policy, and its log. It is safe for concurrent
// use.
type Sandbox struct {
	id        string
	addresses Addresses
	registry  *Registry
	attached  Attachment
	number    int64 // counts the registry's sandboxes in the order of creation
	made      time.Time

	log           *eventLog
	refusals      refusals
	lines         *muffler
	leases        *leases
	outgoing      outgoing
	executions    *executions
	life          lifetime
	withoutWorker atomic.Bool     // a document was served without the worker, and no worker has asked since
	alive         context.Context // done when the sandbox is removed
	end           context.CancelFunc

	changing sync.Mutex // held during a change; it is locked before mu
	invalid  invalidations

	mu      sync.RWMutex
	version Version
	changed chan struct{} // closed when the version changes
	leaving bool          // it is being removed, and rejects changes

	// What an [Update] or [Sandbox.Fill] changes. mu guards it, too.
	name, entry, fallback string
	labels                map[string]string
	keep                  bool
	expires               time.Time          // zero without a TTL
	forgetTTL             context.CancelFunc // nil without a TTL
}

// make makes a sandbox. Other code cannot find it yet.
func (r *Registry) make(spec Spec, attach func(*Sandbox) Attachment) (*Sandbox, error) {
	id, limits := cmp.Or(spec.ID, NewID()), &r.config.Limits
	idle := limits.Idle
	if spec.Idle > 0 {
		idle = min(idle, spec.Idle)
	}
	sb := &Sandbox{
		id: id, name: spec.Name, entry: spec.Entry, labels: maps.Clone(spec.Labels), fallback: spec.Fallback, keep: spec.Keep, made: time.Now().UTC(),
		addresses: r.config.Addresses(id), registry: r, log: newEventLog(&r.logs), changed: make(chan struct{}),
		lines: newMuffler(r.config.Log.With("sandbox", id), limits.LogLines), leases: newLeases(), executions: newExecutions(limits),
		outgoing: outgoing{store: r.store},
		life: lifetime{limit: idle, end: func(idle time.Duration) {
			r.Expel(id, EndedIdle, fmt.Sprintf("nobody had viewed it for %s", idle.Round(time.Second)))
		}},
	}
	sb.alive, sb.end = context.WithCancel(context.Background())
	if attach != nil {
		sb.attached = attach(sb)
	}
	_, err := sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		now.Files, now.Packages, now.Firewall = spec.Files, spec.Packages, firewall.New(spec.Policy)
		now.Warm = spec.Warm
		now.Grants, now.Baseline = spec.grants().Sorted(), spec.Baseline
		return now, protocol.StepCreated, describeNew(spec), nil
	})
	return sb, err
}

// ID returns the sandbox's id.
func (sb *Sandbox) ID() string { return sb.id }

// Name returns the name that people are shown.
func (sb *Sandbox) Name() string {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.name
}

// Entry returns what a view opens. See [Spec.Entry].
func (sb *Sandbox) Entry() string {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.entry
}

// Labels returns the sandbox's labels. See [Spec.Labels].
func (sb *Sandbox) Labels() map[string]string {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return maps.Clone(sb.labels)
}

// Fallback returns the path of the file that answers navigations to paths without a file, or
// "".
func (sb *Sandbox) Fallback() string {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.fallback
}

// Kept reports whether the sandbox is kept until it is removed. See [Spec.Keep].
func (sb *Sandbox) Kept() bool {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.keep
}

// Number returns the sandbox's number. A registry numbers its sandboxes from 1 in the order of
// creation.
func (sb *Sandbox) Number() int64 { return sb.number }

// Created returns when the sandbox was made.
func (sb *Sandbox) Created() time.Time { return sb.made }

// Expires returns when the sandbox's [Spec.TTL] is over, or the zero time if it has none.
func (sb *Sandbox) Expires() time.Time {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.expires
}

// Attached returns the value that the program attached when it made the sandbox.
func (sb *Sandbox) Attached() any { return sb.attached.Value }

// Alive returns a context that is done when the sandbox is removed.
func (sb *Sandbox) Alive() context.Context { return sb.alive }

// URL returns the inner origin, where the sandbox's code runs.
func (sb *Sandbox) URL() string { return sb.addresses.URL }

// OuterURL returns the address to embed: an iframe with this src in an allowed
// embedder's page runs the sandbox.
func (sb *Sandbox) OuterURL() string { return sb.addresses.Page }

// HostURL returns the address of the sandbox's host page.
func (sb *Sandbox) HostURL() string { return sb.addresses.Host }

// Revision returns the number of the newest revision. Revisions count from 1.
func (sb *Sandbox) Revision() int64 {
	v, _ := sb.Version()
	return v.Revision
}

// Touch notes a use, which delays the end of an idle sandbox.
func (sb *Sandbox) Touch() { sb.life.touch() }

// View notes that somebody views the sandbox, until leave is called. A viewed sandbox does not
// end as idle.
func (sb *Sandbox) View() (leave func()) {
	sb.life.enter()
	return sb.life.leave
}

// Warn writes a line about the sandbox to [Config.Log], at a bounded rate.
func (sb *Sandbox) Warn(text string, attributes ...any) { sb.lines.warn(text, attributes...) }
