package child

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// bundleTime is the deadline for all bundles of one package. The largest packages in common use
// need 5 s on one core.
const bundleTime = time.Minute

// Bundle runs [prebundle.Build] in a child, which also unpacks the tarball. It returns the result
// and [prebundle.Bundled.Looked]. It fails with a [*BundleError] if the package needs too much time
// or memory. When ctx is done, Bundle ends the child and fails with the cause.
func (p *Pool) Bundle(ctx context.Context, in prebundle.Packed) (*prebundle.Result, []string, error) {
	r := request{Operation: bundle, Packed: in}
	a, err := p.bundles.do(ctx, r)
	if errors.Is(err, errGone) {
		// A neighbor may have ended the child.
		a, err = p.neighborBundles.do(ctx, r)
	}
	id := in.Name + "@" + in.Version
	switch {
	case errors.Is(err, errSlow):
		return nil, nil, &BundleError{id, fmt.Sprintf("takes longer than %g s", bundleTime.Seconds())}
	case errors.Is(err, errGone):
		return nil, nil, &BundleError{id, fmt.Sprintf("needs more than %d GiB of memory or %d MiB of stack", MaxMemory>>30, maxStack>>20)}
	case err != nil:
		return nil, nil, err
	case a.Panic != "":
		return nil, nil, fmt.Errorf("bundling %s: the bundler has a defect: %s", id, a.Panic)
	}
	return a.Bundled.Result, a.Bundled.Looked, a.Bundled.Err()
}

// A BundleError says that bundling a package exceeds a limit of time, memory, or stack.
type BundleError struct {
	Package string // NAME@VERSION
	Limit   string
}

func (e *BundleError) Error() string {
	return fmt.Sprintf("bundling %s %s. Use another package, or import a build of it by its URL.", e.Package, e.Limit)
}

func bundled(in prebundle.Packed) prebundle.Bundled {
	limits := npm.DefaultLimits()
	limits.Unpacked = in.MaxUnpacked
	files, err := npm.Unpack(in.Tarball, limits)
	if err != nil {
		return prebundle.Bundled{Problem: fmt.Sprintf("%s@%s cannot be unpacked: %v", in.Name, in.Version, err)}
	}
	return prebundle.BuildPacked(in, files)
}
