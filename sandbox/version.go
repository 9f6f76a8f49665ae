package sandbox

import (
	"slices"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/vfs"
)

// A Version is all that a revision number stands for. It is replaced whole.
type Version struct {
	Revision int64
	Files    *vfs.Snapshot
	// Packed are those of the files that workers keep in memory.
	Packed Packed
	// Firewall decides by the policy.
	Firewall *firewall.Firewall
	// WithoutWorker is what holds where the server itself serves the files, nil if it does
	// not.
	WithoutWorker *firewall.Firewall
	Grants        firewall.Grants
	Baseline      firewall.Baseline

	// state is what the worker fetches: made when it first does, and then kept.
	state func() ([]byte, error)
}

// State returns what [Config.State] has made of the version.
func (v Version) State() ([]byte, error) { return v.state() }

// Granted lists the flags and permissions that the sandbox was granted. It is never nil.
func (v Version) Granted() []string {
	return append(slices.Clone(v.Grants.Flags), v.Grants.Permissions...)
}
