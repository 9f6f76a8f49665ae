package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// A Registry has all sandboxes. It is safe for concurrent use.
type Registry struct {
	config Config
	store  *vfs.Store
	logs   eventLogs
	lines  *muffler

	mu        sync.RWMutex
	sandboxes map[string]*Sandbox
	coming    int    // sandboxes for which there is room, but which are not made yet
	made      int64  // how many have been made
	first     string // id of the one that was made first

	isEnding atomic.Bool     // from End on; then
	ending   context.Context // is done soon
	end      context.CancelFunc
}

// NewRegistry returns a registry without any sandbox. It fails for limits below zero.
func NewRegistry(config Config) (*Registry, error) {
	if err := config.Limits.SetDefaults(); err != nil {
		return nil, err
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Addresses == nil {
		config.Addresses = func(string) Addresses { return Addresses{} }
	}
	if config.State == nil {
		config.State = func(*Sandbox, Version) ([]byte, error) { return nil, nil }
	}
	if config.Observer == nil {
		config.Observer = unobserved{}
	}
	r := &Registry{
		config: config, store: vfs.NewStore(config.Limits.StoreBytes), sandboxes: map[string]*Sandbox{},
		logs: eventLogs{max: config.Limits.LogBytes, appended: config.Observer.Logged}, lines: newMuffler(config.Log, LifecycleLines),
	}
	r.logs.list = func() (logs []*eventLog) {
		for _, sb := range r.all() {
			logs = append(logs, sb.log)
		}
		return logs
	}
	r.ending, r.end = context.WithCancel(context.Background())
	return r, nil
}

// Store is where snapshots for these sandboxes are made, so that equal contents are kept
// once.
func (r *Registry) Store() *vfs.Store { return r.store }

// Create makes a sandbox. Unless the spec has one, its id is unguessable and never used
// again. attach is called with it before anybody else can have it; nil attaches nothing.
//
// It fails with [ErrFull] when there are too many, with a [*vfs.LimitError] when
// the files are more than there is room for ([Limits.StoreBytes]), with [ErrEnding] after
// [Registry.End], and with a [*SpecError].
func (r *Registry) Create(spec Spec, attach func(*Sandbox) Attachment) (*Sandbox, error) {
	if spec.Files == nil {
		return nil, errors.New("sandbox: a sandbox needs files; an empty snapshot is allowed")
	}
	if spec.Entry == "" {
		spec.Entry = "/"
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	if r.isEnding.Load() {
		return nil, fmt.Errorf("sandbox: %w; no sandbox is made any more", ErrEnding)
	}
	// First, so that no sandbox is ended for one that there is no room for.
	if err := r.store.Hold(spec.Files); err != nil {
		return nil, err
	}
	defer r.store.Release(spec.Files)
	if err := r.admit(); err != nil {
		return nil, err
	}
	sb, err := r.make(spec, attach)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.coming--
	if err != nil {
		return nil, err
	}
	if r.sandboxes[sb.id] != nil {
		sb.release()
		return nil, &SpecError{"id", fmt.Sprintf("the id %s is another sandbox's", sb.id)}
	}
	r.made++
	r.config.Observer.Created()
	sb.number = r.made
	r.sandboxes[sb.id] = sb
	if r.first == "" {
		r.first = sb.id
	}
	sb.life.begin(spec.Keep)
	sb.endAfter(spec.TTL)
	return sb, nil
}

// Get returns the sandbox with the id, or nil.
func (r *Registry) Get(id string) *Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sandboxes[id]
}

// First returns the sandbox that was made first, of those that there are, or nil.
func (r *Registry) First() *Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sandboxes[r.first]
}

// Len returns how many sandboxes there are.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sandboxes)
}

// A Page is a part of the list of sandboxes. The zero value is all of it.
type Page struct {
	// After is the number of the last sandbox that is left out before it; see
	// [Sandbox.Number].
	After int64
	// Limit is how many it has at most, 0 for no limit.
	Limit int
}

// List returns a page of the sandboxes, in the order in which they were made.
func (r *Registry) List(page Page) []*Sandbox {
	list := slices.DeleteFunc(r.all(), func(sb *Sandbox) bool { return sb.number <= page.After })
	slices.SortFunc(list, func(a, b *Sandbox) int { return cmp.Compare(a.number, b.number) })
	if page.Limit > 0 && len(list) > page.Limit {
		list = list[:page.Limit]
	}
	return list
}

// LogBytes returns the memory of all event logs together.
func (r *Registry) LogBytes() int64 { return r.logs.used.Load() }

func (r *Registry) all() []*Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Values(r.sandboxes))
}

// admit reserves room for one sandbox more, or fails.
func (r *Registry) admit() error {
	for {
		r.mu.Lock()
		full := len(r.sandboxes)+r.coming >= r.config.Limits.Sandboxes
		if !full {
			r.coming++
			r.mu.Unlock()
			return nil
		}
		id, idle := r.longestIdle()
		r.mu.Unlock()
		if idle < LeastIdle {
			r.config.Observer.Refused()
			return fmt.Errorf("sandbox: %w: %d, which is the limit, and each is kept, viewed or was used within the last minute; remove some or try again later", ErrFull, r.config.Limits.Sandboxes)
		}
		r.Expel(id, EndedRoom, fmt.Sprintf("nobody had viewed it for %s, and the server needed room", idle.Round(time.Second)))
	}
}

// longestIdle finds whom to end for a new one. r.mu is held.
func (r *Registry) longestIdle() (id string, idle time.Duration) {
	for _, each := range r.sandboxes {
		if t := each.life.idle(); t > idle {
			id, idle = each.id, t
		}
	}
	return id, idle
}
