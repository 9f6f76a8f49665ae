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

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// Errors of a sandbox's life.
var (
	// ErrFull: there are as many sandboxes as [Limits.Sandboxes] allows, and each is
	// kept, viewed or new.
	ErrFull = errors.New("there are too many sandboxes")
	// ErrRemoved: the sandbox has been removed.
	ErrRemoved = errors.New("the sandbox has been removed")
	// ErrEnding: the registry is ending, and makes no sandbox any more.
	ErrEnding = errors.New("the server is ending")
)

// A Reason says why a sandbox has ended.
type Reason string

// The reasons.
const (
	EndedRemoved  Reason = "removed"
	EndedIdle     Reason = "idle"
	EndedExpired  Reason = "expired"
	EndedRoom     Reason = "room"
	EndedReplaced Reason = "replaced"
	EndedClosed   Reason = "closed"
)

// A Config says what a [Registry] is for. Its zero value is usable.
type Config struct {
	Limits Limits
	// Log takes what happens. Default: nothing is logged.
	Log *slog.Logger
	// Addresses returns those of the sandbox with an id. Default: a sandbox has none.
	Addresses func(id string) Addresses
	// State makes what workers fetch of a version. It is called when the first of them asks,
	// and once for each version. Default: there is nothing to fetch.
	State func(*Sandbox, Version) ([]byte, error)
	// Observer counts. Default: nobody does.
	Observer Observer
}

// Addresses are where a sandbox is found.
type Addresses struct {
	URL  string // the origin of its code
	Page string // to embed
	Host string // of a page that shows it
}

// An Observer is told of what happens to sandboxes. Its methods must not block, nor ask the
// sandbox or the registry for anything.
type Observer interface {
	Created()
	// Refused is told of a sandbox that was not made, because there were too many.
	Refused()
	Ended(sb *Sandbox, reason Reason)
	// Revised is told of each revision, the first included.
	Revised(step protocol.Step)
	// Logged is told of an event by its type and, where it has one, its action.
	Logged(kind, action string)
	// Dropped is told of events that a browser could not keep, Missed of those that somebody
	// who follows a log has missed.
	Dropped(count int)
	Missed(count int)
}

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

// An Attachment is what a program keeps with a sandbox.
type Attachment struct {
	// Value is what [Sandbox.Attached] returns.
	Value any
	// Advisor may be nil.
	Advisor Advisor
}

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

// Remove ends a sandbox: its streams end, its memory is freed, and nobody finds it any more.
// It reports whether there was one with this id. A worker that answers from its memory is
// waited for as by [Sandbox.SetFiles].
func (r *Registry) Remove(id string) bool { return r.Expel(id, EndedRemoved, "it was removed") }

// Expel is Remove for a reason that is counted, and one that the sandbox's log tells. When
// it returns no worker answers from its memory any more.
func (r *Registry) Expel(id string, reason Reason, why string) bool {
	r.mu.Lock()
	sb := r.sandboxes[id]
	delete(r.sandboxes, id)
	if r.first == id {
		r.first = r.oldest()
	}
	r.mu.Unlock()
	if sb == nil {
		return false
	}
	r.config.Observer.Ended(sb, reason)
	sb.life.stop()
	sb.refusals.end()
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepRemoved, Text: why}
	})
	sb.log.close()
	sb.end()
	sb.leases.end()
	sb.release()
	sb.lines.tell()
	r.lines.info("removed", "sandbox", id, "why", why)
	return true
}

// End begins the end: no sandbox is made any more, and each log has a last event that says
// so. [Registry.Ending] is done then. The sandboxes stay what they are. There is no way back.
func (r *Registry) End() {
	// First, so that no stream begins behind its log's last event.
	if r.isEnding.Swap(true) {
		return
	}
	for _, sb := range r.all() {
		sb.log.append(sb.Revision(), func(h protocol.Head) any {
			h.Source = protocol.SourceServer
			return protocol.LifecycleEvent{Head: h, Step: protocol.StepEnding, Text: "the server is ending; open pages follow the next one if it has this sandbox again"}
		})
	}
	r.end()
}

// IsEnding reports whether [Registry.End] has been called.
func (r *Registry) IsEnding() bool { return r.isEnding.Load() }

// Ending is done when [Registry.End] has told every log.
func (r *Registry) Ending() context.Context { return r.ending }

// Close removes every sandbox. What the log has left out until then is told.
func (r *Registry) Close() {
	for _, sb := range r.all() {
		r.Expel(sb.id, EndedClosed, "the server was closed")
	}
	r.lines.tell()
}

// Flush records what still waits for the browser's confirmation, and logs how many
// lines were left out. The sandboxes log nothing afterwards.
func (r *Registry) Flush() {
	for _, sb := range r.all() {
		sb.refusals.end()
		sb.lines.tell()
	}
	r.lines.tell()
}

func (r *Registry) all() []*Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Values(r.sandboxes))
}

// oldest returns the id of the sandbox that was made first. r.mu is held.
func (r *Registry) oldest() string {
	var first *Sandbox
	for _, each := range r.sandboxes {
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

// unobserved is the observer of a registry that has none.
type unobserved struct{}

func (unobserved) Created()               {}
func (unobserved) Refused()               {}
func (unobserved) Ended(*Sandbox, Reason) {}
func (unobserved) Revised(protocol.Step)  {}
func (unobserved) Logged(string, string)  {}
func (unobserved) Dropped(int)            {}
func (unobserved) Missed(int)             {}
