package sandbox

import (
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// Spec describes a new sandbox.
type Spec struct {
	// ID is the sandbox's id if it was made before, by [NewID], and kept by the caller. The
	// sandbox then has the origin that it had on an earlier server at the same address,
	// and the browser has what its pages stored there. No other sandbox of this server may
	// have it. Default: a new one.
	ID string
	// Name is shown to people, for instance the folder's.
	Name string
	// Files are the sandbox's files, from [Registry.Store], which is the server's Store. Required.
	Files *vfs.Snapshot
	// Policy is what the sandbox may reach; nil blocks everything.
	Policy *rules.Policy
	// Entry is what a view opens, beginning with "/": the path of a file, or else a URL's
	// path with its query. Default "/".
	Entry string
	// Fallback is the path of a file that answers navigations to paths which
	// have none, for single-page applications. Default: none.
	Fallback string
	// Keep keeps the sandbox until [Registry.Remove], whether or not anybody views
	// it. Otherwise it ends by [Limits.Idle], or to make room for another.
	Keep bool
	// Idle, if it is shorter than [Limits.Idle], stands for that.
	Idle time.Duration
	// Flags and Permissions are what the sandbox is granted beyond the usual; see
	// [firewall.Grants]. Default: nothing.
	Flags, Permissions []string
	// Baseline is what the sandbox's documents may load without a rule. Default:
	// [firewall.OwnFiles].
	Baseline firewall.Baseline
	// TTL is how long after it was made the sandbox is removed, viewed or not, and
	// also if it is to be kept. Default: there is no such time.
	TTL time.Duration
}
