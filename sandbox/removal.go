package sandbox

import (
	"context"
	"errors"

	"github.com/bellglass/bellglass/protocol"
)

// Errors of a sandbox's life.
var (
	// ErrFull says that as many sandboxes exist as [Limits.Sandboxes] allows, and each is
	// kept, viewed, or new.
	ErrFull = errors.New("there are too many sandboxes")
	// ErrRemoved says that the sandbox has been removed.
	ErrRemoved = errors.New("the sandbox has been removed")
	// ErrEnding says that the registry is ending and makes no more sandboxes.
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

// Remove ends a sandbox: its streams end, its memory is freed, and the registry no longer
// finds it. Remove reports whether there was a sandbox with this id. It waits for workers that
// answer from memory, as [Sandbox.SetFiles] does.
func (r *Registry) Remove(id string) bool { return r.Expel(id, EndedRemoved, "it was removed") }

// Expel does what Remove does, for a reason that the observer counts and a text for the
// sandbox's log. When it returns, no worker answers from memory any more.
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

// End begins to end the registry. From then on it makes no sandboxes. Each log gets a last
// event that says so, and then the context of [Registry.Ending] is done. The sandboxes stay as
// they are. End cannot be undone.
func (r *Registry) End() {
	// Before the logs' last events, so that no stream begins after them.
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

// Ending returns a context that is done when [Registry.End] has added the last event to every
// log.
func (r *Registry) Ending() context.Context { return r.ending }

// Close removes every sandbox, and logs how many lines were left out.
func (r *Registry) Close() {
	for _, sb := range r.all() {
		r.Expel(sb.id, EndedClosed, "the server was closed")
	}
	r.lines.tell()
}

// Flush records the page reports that still wait for the browser's confirmation, and logs how
// many lines were left out. The sandboxes log nothing afterwards.
func (r *Registry) Flush() {
	for _, sb := range r.all() {
		sb.refusals.end()
		sb.lines.tell()
	}
	r.lines.tell()
}

// oldest returns the id of the oldest sandbox, or "". r.mu is held.
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
