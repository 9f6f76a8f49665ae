package sandbox

import (
	"errors"
	"maps"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// ErrNotWarm says that a sandbox has its files already.
var ErrNotWarm = errors.New("the sandbox is not warm, or no longer: it has its files")

// A Filling is what a warm sandbox gets. The fields are those of [Spec].
type Filling struct {
	Files    *vfs.Snapshot
	Packages compile.Packages
	Name     string
	Fallback string
	Labels   map[string]string
	TTL      time.Duration
}

// Fill gives a warm sandbox its files, and returns the new revision. Views that have booted open the
// entry. Fill fails with [ErrNotWarm] if the sandbox has files, or as [Registry.Create] does. A failed
// call leaves the sandbox warm.
func (sb *Sandbox) Fill(f Filling) (int64, error) {
	spec := Spec{Files: f.Files, Name: f.Name, Entry: sb.Entry(), Fallback: f.Fallback, Labels: f.Labels, TTL: f.TTL}
	if err := spec.check(); err != nil {
		return 0, err
	}
	return sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		if !now.Warm {
			return now, "", "", ErrNotWarm
		}
		// Before the files, because a view can open a path at once that needs the fallback.
		sb.mu.Lock()
		sb.name, sb.fallback, sb.labels = f.Name, f.Fallback, maps.Clone(f.Labels)
		if f.TTL > 0 {
			sb.endAfter(f.TTL)
		}
		sb.mu.Unlock()
		now.Files, now.Packages = f.Files, f.Packages
		return now, protocol.StepFiles, Describe(vfs.Compare(nil, f.Files)), nil
	})
}
