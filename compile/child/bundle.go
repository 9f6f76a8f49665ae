package child

import (
	"errors"
	"fmt"
	"time"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// bundleTime is how long the bundles of a package may take. The largest of those that people use
// need 5 s of one core.
const bundleTime = time.Minute

// Bundle is [prebundle.Build] in a child, with the files of the tarball. The package is unpacked
// there, too. It fails with a [*BundleError] if the package needs too much time or memory.
func (p *Pool) Bundle(in prebundle.Packed) (*prebundle.Result, []string, error) {
	r := request{Operation: bundle, Packed: in}
	a, err := p.bundles.do(r)
	if errors.Is(err, errGone) {
		// It may have been its neighbor.
		a, err = p.neighborBundles.do(r)
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

// A BundleError says that a package needs more time or memory than may be spent on it.
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
