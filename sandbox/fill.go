package sandbox

import (
	"errors"
	"maps"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// ErrNotWarm says that a sandbox already has files.
var ErrNotWarm = errors.New("the sandbox is not warm: it already has files")

// A Filling is what [Sandbox.Fill] gives a warm sandbox. The fields are those of [Spec].
type Filling struct {
	Files    *vfs.Snapshot
	Packages compile.Packages
	Name     string
	Fallback string
	Labels   map[string]string
	Keep     bool
	// TTL replaces that of the warm sandbox.
	TTL time.Duration
}

// Fill gives a warm sandbox its files, and returns the new revision. Views that have booted open
// the entry. Fill fails with [ErrNotWarm] if the sandbox has files. It also fails as
// [Registry.Create] does. A failed call leaves the sandbox warm.
func (sb *Sandbox) Fill(f Filling) (int64, error) {
	spec := Spec{Files: f.Files, Name: f.Name, Entry: sb.Entry(), Fallback: f.Fallback, Labels: f.Labels, TTL: f.TTL}
	if err := spec.check(); err != nil {
		return 0, err
	}
	return sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		if !now.Warm {
			return now, "", "", ErrNotWarm
		}
		now.Files, now.Packages, now.filling = f.Files, f.Packages, &f
		return now, protocol.StepFiles, Describe(vfs.Compare(nil, f.Files)), nil
	})
}

// filled stores what belongs to no revision. sb.mu is held.
func (sb *Sandbox) filled(f *Filling) {
	sb.name, sb.fallback, sb.labels, sb.keep = f.Name, f.Fallback, maps.Clone(f.Labels), f.Keep
	sb.endAfter(f.TTL)
	sb.life.begin(f.Keep)
}
