package sandbox

import (
	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A Version holds everything that belongs to one revision. A change replaces it as a whole.
type Version struct {
	Revision int64
	Files    *vfs.Snapshot
	// Warm says that the sandbox has no files yet. See [Spec.Warm].
	Warm bool
	// Packages are those that the files can import, or nil.
	Packages compile.Packages
	// Served has the files, and what they are compiled to. See package compile.
	Served *vfs.Snapshot
	// Modules is the graph of the modules, or nil.
	Modules *compile.Modules
	// Links has the header Link of pages, by path. See [compile.Result].
	Links map[string]string
	// Diagnostics are what is wrong with the files.
	Diagnostics []protocol.Diagnostic
	// Preload lists the files' contents that workers keep in memory.
	Preload Preload
	// Firewall decides requests by the policy.
	Firewall *firewall.Firewall
	// WithoutWorker decides requests when the server itself serves the files. It is nil if the
	// server does not do that.
	WithoutWorker *firewall.Firewall
	Grants        firewall.Grants
	Baseline      firewall.Baseline

	// edited is the revision of the newest change that page code did not cause.
	edited int64
	// invalid is the path of a module that has called import.meta.hot.invalidate, and filling what
	// fills a warm sandbox. They are set only while the version is made.
	invalid string
	filling *Filling
	// state returns what workers fetch. It is encoded on the first call and then kept.
	state func() ([]byte, error)
}

// State returns the result of [Config.State] for this version.
func (v Version) State() ([]byte, error) { return v.state() }

// Granted returns the flags and permissions that the sandbox was granted. It is never nil.
func (v Version) Granted() []string {
	return append(append([]string{}, v.Grants.Flags...), v.Grants.Permissions...)
}
