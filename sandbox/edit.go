package sandbox

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// A SpecError says which field of a [Spec] is invalid, and why.
type SpecError struct {
	Field  string // the field's name in the HTTP API
	Reason string
}

func (e *SpecError) Error() string { return "sandbox: " + e.Reason }

func (s *Spec) check() error {
	switch {
	case s.Files == nil:
		return &SpecError{"files", "a sandbox needs files; a snapshot without any is allowed"}
	case s.ID != "" && !IsID(s.ID):
		return &SpecError{"id", fmt.Sprintf("%.200q is not an id as NewID makes them", s.ID)}
	case s.grants().CheckFlags() != nil:
		return &SpecError{"flags", s.grants().CheckFlags().Error()}
	case s.grants().CheckPermissions() != nil:
		return &SpecError{"permissions", s.grants().CheckPermissions().Error()}
	case s.Idle < 0:
		return &SpecError{"idle", fmt.Sprintf("the time %s is negative", s.Idle)}
	case s.TTL < 0:
		return &SpecError{"ttl", fmt.Sprintf("the time %s is negative", s.TTL)}
	}
	if err := checkEntry(s.Entry, s.Labels); err != nil {
		return err
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

// checkEntry checks what a [Spec] and an [Update] have in common.
func checkEntry(entry string, labels map[string]string) error {
	const longestEntry = 2_048 // bytes
	switch {
	case !strings.HasPrefix(entry, "/"):
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q does not begin with /; write %.200s", entry, rooted(entry))}
	case hasEmptySegment(entry):
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q has an empty segment (\"//\"), as no path of a sandbox has; write a single \"/\"", entry)}
	case !Plain(entry, longestEntry):
		return &SpecError{"entry", fmt.Sprintf("the entry %.200q has control characters or more than %d bytes", entry, longestEntry)}
	}
	return checkLabels(labels)
}

// rooted returns the absolute path that a relative one such as index.html or ./index.html
// means.
func rooted(path string) string { return "/" + strings.TrimLeft(strings.TrimPrefix(path, "./"), "/") }

// hasEmptySegment reports whether the path of a URL reference has an empty segment. It ignores
// the query and the fragment.
func hasEmptySegment(reference string) bool {
	path, _, _ := strings.Cut(reference, "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path, "//")
}

func (s *Spec) grants() firewall.Grants {
	return firewall.Grants{Flags: s.Flags, Permissions: s.Permissions}
}

// A StaleError says that a sandbox does not have the expected revision.
type StaleError struct {
	Expected, Revision int64
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("sandbox: the sandbox has revision %d, not %d", e.Revision, e.Expected)
}

// An Edit is an atomic change of a sandbox.
type Edit struct {
	// At is the revision that the change is meant for. If the sandbox has another one, the
	// edit fails with a [*StaleError]. 0 accepts any revision.
	At int64
	// All replaces all files, unless it is nil. Files are applied to it.
	All *vfs.Snapshot
	// Files are changes of single files. If there are none, no file changes.
	Files []vfs.Change
	// Policy replaces the policy, unless it is nil. A zero policy blocks everything.
	Policy *rules.Policy
}

// Edited is the result of an [Edit].
type Edited struct {
	Revision int64
	Files    vfs.Diff
	// Diagnostics are what is wrong with the files of the revision.
	Diagnostics []protocol.Diagnostic
}

// Edit makes a new revision. It fails with a [*StaleError], with [ErrRemoved], or with an
// error of [vfs.Snapshot.With] or [vfs.Store.Hold]. A failed edit changes nothing.
func (sb *Sandbox) Edit(e Edit) (Edited, error) {
	var edited Edited
	made, err := sb.change(func(now Version) (Version, protocol.Step, string, error) {
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
	edited.Revision, edited.Diagnostics = made.Revision, made.Diagnostics
	return edited, err
}

// at fails if the version does not have the expected revision. 0 accepts any. Page code can make
// revisions, in which it invalidates modules. They change nothing that a client has read, and
// would otherwise let a page refuse every conditional change.
func (v *Version) at(expected int64) error {
	if expected != 0 && (expected < v.edited || expected > v.Revision) {
		return &StaleError{Expected: expected, Revision: v.Revision}
	}
	return nil
}

// Remove ends the sandbox as [Registry.Remove] does, if it has the expected revision. 0
// accepts any. Remove fails with a [*StaleError] or with [ErrRemoved].
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

// Files returns the sandbox's files and the revision that they belong to.
func (sb *Sandbox) Files() (*vfs.Snapshot, int64) {
	v, _ := sb.Version()
	return v.Files, v.Revision
}

// Diagnostics returns what is wrong with the files of the newest revision.
func (sb *Sandbox) Diagnostics() []protocol.Diagnostic {
	v, _ := sb.Version()
	return v.Diagnostics
}

// Policy returns the sandbox's policy, never nil, and the revision that it belongs to.
func (sb *Sandbox) Policy() (*rules.Policy, int64) {
	v, _ := sb.Version()
	return v.Firewall.Policy(), v.Revision
}

// Explain says how the sandbox's policy decides a request of page code. It returns the
// revision that it used.
func (sb *Sandbox) Explain(r firewall.Request) (firewall.Explanation, int64) {
	v, _ := sb.Version()
	return v.Firewall.Explain(r), v.Revision
}
