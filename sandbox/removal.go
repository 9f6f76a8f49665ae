package sandbox

import (
	"context"
	"errors"

	"github.com/bellglass/bellglass/protocol"
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
