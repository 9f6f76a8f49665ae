package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// A SpecError says which field of a [Spec] cannot be taken, and why.
type SpecError struct {
	Field  string // as it is named in the HTTP API
	Reason string
}

func (e *SpecError) Error() string { return "sandbox: " + e.Reason }

func (s *Spec) check() error {
	const longest = 2_048 // bytes
	switch {
	case s.ID != "" && !IsID(s.ID):
		return &SpecError{"id", fmt.Sprintf("%.200q is not an id as NewID makes them", s.ID)}
	case s.Entry[0] != '/':
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q does not begin with /; write %.200s", s.Entry, rooted(s.Entry))}
	case hasEmptySegment(s.Entry):
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q has an empty segment (\"//\"), as no path of a sandbox has; write a single \"/\"", s.Entry)}
	case !Plain(s.Entry, longest):
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q has control characters or more than %d bytes", s.Entry, longest)}
	case s.grants().CheckFlags() != nil:
		return &SpecError{"flags", s.grants().CheckFlags().Error()}
	case s.grants().CheckPermissions() != nil:
		return &SpecError{"permissions", s.grants().CheckPermissions().Error()}
	case s.Idle < 0:
		return &SpecError{"idle", fmt.Sprintf("the time %s is negative", s.Idle)}
	case s.TTL < 0:
		return &SpecError{"ttl", fmt.Sprintf("the time %s is negative", s.TTL)}
	}
	if _, ok := s.Files.Lookup(s.Fallback); s.Fallback != "" && !ok {
		reason := fmt.Sprintf("the fallback %.200s is not one of the files", s.Fallback)
		if _, meant := s.Files.Lookup(rooted(s.Fallback)); meant {
			reason += "; write " + rooted(s.Fallback)
		}
		return &SpecError{"fallback", reason}
	}
	return nil
}

// rooted returns the path that somebody means who writes index.html or ./index.html.
func rooted(path string) string { return "/" + strings.TrimLeft(strings.TrimPrefix(path, "./"), "/") }

// hasEmptySegment reports whether the path of a reference has an empty segment, its
// query and fragment aside.
func hasEmptySegment(reference string) bool {
	path, _, _ := strings.Cut(reference, "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path, "//")
}

func (s *Spec) grants() firewall.Grants {
	return firewall.Grants{Flags: s.Flags, Permissions: s.Permissions}
}

// A StaleError says that a sandbox has another revision than was expected.
type StaleError struct {
	Expected, Revision int64
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("sandbox: the sandbox has revision %d, not %d", e.Revision, e.Expected)
}

// An Edit is a change of a sandbox, which is made whole or not at all.
type Edit struct {
	// At is the revision that the change was thought out for; at another one it
	// fails with a [*StaleError]. 0 stands for whichever there is.
	At int64
	// All replaces all files, unless it is nil; the changes below are made to it.
	All *vfs.Snapshot
	// Files are changes of single files; none leaves all as they are.
	Files []vfs.Change
	// Policy replaces the policy, unless it is nil. A zero one blocks everything.
	Policy *rules.Policy
}

// Edited is what became of an [Edit].
type Edited struct {
	Revision int64
	Files    vfs.Diff
}

// Edit makes a new revision. It fails with a [*StaleError], with [ErrRemoved], or
// as [vfs.Snapshot.With] and [vfs.Store.Hold] do, and then the sandbox is as it was.
func (sb *Sandbox) Edit(e Edit) (Edited, error) {
	var edited Edited
	revision, err := sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		if err := now.at(e.At); err != nil {
			return now, "", "", err
		}
		files, err := cmp.Or(e.All, now.Files).With(e.Files...)
		if err != nil {
			return now, "", "", err
		}
		edited.Files = vfs.Compare(now.Files, files)
		now.Files = files
		step, text := protocol.StepFiles, Describe(edited.Files)
		if e.Policy != nil {
			now.Firewall = firewall.New(e.Policy)
			step, text = protocol.StepPolicy, "policy "+policyName(e.Policy)
			if e.All != nil || len(e.Files) > 0 {
				text += "; " + Describe(edited.Files)
			}
		}
		return now, step, text, nil
	})
	edited.Revision = revision
	return edited, err
}

// at fails unless the version is the one that is expected, or any is.
func (v *Version) at(expected int64) error {
	if expected != 0 && expected != v.Revision {
		return &StaleError{Expected: expected, Revision: v.Revision}
	}
	return nil
}

// Remove ends the sandbox as [Registry.Remove] does, if it has the revision that is
// expected; 0 stands for whichever it has. It fails with a [*StaleError] or with
// [ErrRemoved].
func (sb *Sandbox) Remove(expected int64) error {
	sb.mu.Lock()
	err := sb.version.at(expected)
	if err == nil {
		sb.leaving = true
	}
	sb.mu.Unlock()
	if err == nil && !sb.registry.Remove(sb.id) {
		err = fmt.Errorf("sandbox %s: %w", sb.id, ErrRemoved)
	}
	return err
}

// endAfter removes the sandbox after so much time, if it is any.
func (sb *Sandbox) endAfter(ttl time.Duration) {
	if ttl <= 0 {
		return
	}
	timer := time.AfterFunc(ttl, func() {
		sb.registry.Expel(sb.id, EndedExpired, fmt.Sprintf("the time that it was given, %s, was over", ttl))
	})
	context.AfterFunc(sb.alive, func() { timer.Stop() })
}

// Files returns the sandbox's files and the revision that has them.
func (sb *Sandbox) Files() (*vfs.Snapshot, int64) {
	v, _ := sb.Version()
	return v.Files, v.Revision
}

// Policy returns the sandbox's policy, never nil, and the revision that has it.
func (sb *Sandbox) Policy() (*rules.Policy, int64) {
	v, _ := sb.Version()
	return v.Firewall.Policy(), v.Revision
}

// Explain says what becomes of a request that page code makes at the revision
// that it returns.
func (sb *Sandbox) Explain(r firewall.Request) (firewall.Explanation, int64) {
	v, _ := sb.Version()
	return v.Firewall.Explain(r), v.Revision
}
