package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// A Registry holds all sandboxes. It is safe for concurrent use.
type Registry struct {
	config Config
	store  *vfs.Store
	logs   eventLogs
	lines  *muffler

	mu        sync.RWMutex
	sandboxes map[string]*Sandbox
	coming    int    // sandboxes that have a reserved place, and are being made
	made      int64  // how many have ever been made
	first     string // id of the oldest sandbox

	isEnding atomic.Bool     // set first when End is called
	ending   context.Context // done once every log has its last event
	end      context.CancelFunc
}

// NewRegistry returns a registry without sandboxes. It fails if a limit is negative.
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
	if config.Compiler == nil {
		config.Compiler = shared()
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

// Store returns the store in which snapshots for these sandboxes must be made. It keeps equal
// contents once.
func (r *Registry) Store() *vfs.Store { return r.store }

// Create makes a sandbox. Unless the spec has an id, the id is unguessable and never used
// again. attach is called with the sandbox before other code can find it. A nil attach
// attaches nothing.
//
// Create fails with
//
//   - [ErrFull] when there are too many sandboxes,
//   - a [*vfs.LimitError] when there is no room for the files ([Limits.StoreBytes]),
//   - [ErrEnding] after [Registry.End],
//   - a [*SpecError] when a field of the spec is invalid.
func (r *Registry) Create(spec Spec, attach func(*Sandbox) Attachment) (*Sandbox, error) {
	if spec.Entry == "" {
		spec.Entry = "/"
	}
	if spec.Warm && spec.Files == nil {
		files, err := r.store.Snapshot(nil, vfs.DefaultLimits())
		if err != nil {
			return nil, err
		}
		spec.Files = files
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	if r.isEnding.Load() {
		return nil, fmt.Errorf("sandbox: %w; no sandbox is made any more", ErrEnding)
	}
	// Before admit, so that no other sandbox is ended if the files do not fit.
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

// First returns the oldest of the existing sandboxes, or nil.
func (r *Registry) First() *Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sandboxes[r.first]
}

// Len returns the number of sandboxes.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sandboxes)
}

// A Page selects a part of the list of sandboxes. The zero value selects the whole list.
type Page struct {
	// After is the number of the last sandbox before the page. See [Sandbox.Number].
	After int64
	// Limit is the maximum length of the page, or 0 for no limit.
	Limit int
	// Labels select the sandboxes that have all of them.
	Labels []Label
}

// List returns a page of the sandboxes, oldest first.
func (r *Registry) List(page Page) []*Sandbox {
	list := slices.DeleteFunc(r.all(), func(sb *Sandbox) bool { return sb.number <= page.After || !sb.hasLabels(page.Labels) })
	slices.SortFunc(list, func(a, b *Sandbox) int { return cmp.Compare(a.number, b.number) })
	if page.Limit > 0 && len(list) > page.Limit {
		list = list[:page.Limit]
	}
	return list
}

// LogBytes returns the bytes of all event logs together.
func (r *Registry) LogBytes() int64 { return r.logs.used.Load() }

func (r *Registry) all() []*Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Values(r.sandboxes))
}

// admit reserves room for one more sandbox. If there are too many, it ends an idle one, or
// fails.
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

// longestIdle returns the sandbox that has been idle for the longest time. r.mu is held.
func (r *Registry) longestIdle() (id string, idle time.Duration) {
	for _, each := range r.sandboxes {
		if t := each.life.idle(); t > idle {
			id, idle = each.id, t
		}
	}
	return id, idle
}
