package sandbox

import (
	"context"
	"fmt"
	"maps"
	"time"
)

// An Update changes what a sandbox has in addition to its files and its policy. A nil field
// changes nothing.
type Update struct {
	// At is the revision that the sandbox must have. 0 accepts any revision.
	At   int64
	Name *string
	// Entry is what views open from now on. It follows the rules of [Spec.Entry].
	Entry *string
	// TTL is the time from now after which the sandbox is removed. 0 is never.
	TTL *time.Duration
	// Labels has the new values by key. A nil value removes the label.
	Labels map[string]*string
}

// Update makes the update as a whole, or fails and changes nothing. It fails with a
// [*SpecError], with a [*StaleError], or with [ErrRemoved]. An update is not a revision,
// because nothing that the sandbox's origin serves changes.
func (sb *Sandbox) Update(u Update) error {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	if err := sb.accepts(); err != nil {
		return err
	}
	if err := sb.version.at(u.At); err != nil {
		return err
	}
	name, entry, labels := sb.name, sb.entry, sb.labels
	if u.Name != nil {
		name = *u.Name
	}
	if u.Entry != nil && *u.Entry != entry {
		if sb.version.Warm {
			return &SpecError{"entry", "the sandbox is warm, and its views may have booted for the old entry; make another one"}
		}
		entry = *u.Entry
	}
	if len(u.Labels) > 0 {
		labels = maps.Clone(labels)
		if labels == nil {
			labels = map[string]string{}
		}
		for key, value := range u.Labels {
			if value == nil {
				delete(labels, key)
			} else {
				labels[key] = *value
			}
		}
	}
	if err := checkEntry(entry, labels); err != nil {
		return err
	}
	if u.TTL != nil {
		if *u.TTL < 0 {
			return &SpecError{"ttl", fmt.Sprintf("the time %s is negative", *u.TTL)}
		}
		sb.endAfter(*u.TTL)
	}
	sb.name, sb.entry, sb.labels = name, entry, labels
	return nil
}

// endAfter removes the sandbox once the TTL is over, in place of an earlier TTL. A TTL of 0 is
// none. sb.mu is held, or no other code can find the sandbox yet.
func (sb *Sandbox) endAfter(ttl time.Duration) {
	if sb.forgetTTL != nil {
		sb.forgetTTL()
	}
	sb.forgetTTL, sb.expires = nil, time.Time{}
	if ttl == 0 {
		return
	}
	valid, forget := context.WithCancel(sb.alive)
	sb.forgetTTL, sb.expires = forget, time.Now().UTC().Add(ttl)
	timer := time.AfterFunc(ttl, func() {
		sb.mu.Lock()
		isOver := valid.Err() == nil
		sb.leaving = sb.leaving || isOver
		sb.mu.Unlock()
		if isOver {
			sb.registry.Expel(sb.id, EndedExpired, fmt.Sprintf("the time that it was given, %s, was over", ttl))
		}
	})
	context.AfterFunc(valid, func() { timer.Stop() })
}
