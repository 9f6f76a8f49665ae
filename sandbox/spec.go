package sandbox

import (
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// A Spec describes a new sandbox.
type Spec struct {
	// ID is the sandbox's id. Set it to an id from [NewID] that you have kept. The sandbox
	// then has the same origin as on an earlier server at the same address. The browser still
	// has what the sandbox's pages stored there. No other sandbox of this server may have the
	// id. Default: a new id.
	ID string
	// Name is shown to people. It may be the folder's name, for instance.
	Name string
	// Labels are for programs, which find sandboxes by them. A sandbox has at most 32. A key
	// has 1 to 63 characters a-z, 0-9, and . _ / - between them. A value has at most 200 bytes
	// and no control characters.
	Labels map[string]string
	// Files are the sandbox's files. They must come from [Registry.Store], which is the
	// server's Store. Required.
	Files *vfs.Snapshot
	// Warm makes a sandbox that has no files yet. Its views boot, and open the entry once the
	// sandbox has files, after [Sandbox.Fill] or another change of the files. Files may be nil.
	Warm bool
	// Packages are those that the files can import by name. Default: none.
	Packages compile.Packages
	// Policy says what the sandbox may reach. A nil policy blocks everything.
	Policy *rules.Policy
	// Entry is what a view opens: the path of a file, or else a URL's path with its query. It
	// begins with "/". Default "/".
	Entry string
	// Fallback is the path of the file that answers navigations to paths without a file.
	// Single-page applications need it. Default: none.
	Fallback string
	// Keep keeps the sandbox until [Registry.Remove], whether or not anybody views it.
	// Otherwise the sandbox ends by [Limits.Idle], or to make room for another.
	Keep bool
	// Idle replaces [Limits.Idle] for this sandbox if it is shorter.
	Idle time.Duration
	// Flags and Permissions are granted to the sandbox in addition to the defaults. See
	// [firewall.Grants]. Default: none.
	Flags, Permissions []string
	// Baseline is what the sandbox's documents may load without a rule. Default:
	// [firewall.OwnFiles].
	Baseline firewall.Baseline
	// TTL is how long after its creation the sandbox is removed, even if it is viewed or kept.
	// Default: never.
	TTL time.Duration
}
