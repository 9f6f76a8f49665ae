package packages

import (
	"context"
	"maps"
	"slices"

	"github.com/bellglass/bellglass/packages/manifest"
	"github.com/bellglass/bellglass/packages/resolve"
	"github.com/bellglass/bellglass/packages/starter"
)

// Starter fetches the packages of package starter into the cache, and bundles their main entries.
// Afterwards [Add] finds them offline. Starter returns them sorted by name.
func Starter(ctx context.Context, o Options) (*Set, []Added, error) {
	ranges, err := manifest.Dependencies(starter.Manifest)
	if err != nil {
		return nil, nil, err
	}
	set, err := Load(ctx, Request{Dependencies: ranges, Lock: starter.Lock}, o)
	if err != nil {
		return nil, nil, err
	}
	names := slices.Sorted(maps.Keys(ranges))
	if err := set.warm(ctx, names); err != nil {
		return nil, nil, err
	}
	var all []Added
	versions := set.Dependencies()
	for _, name := range names {
		all = append(all, Added{Name: name, Range: ranges[name], Version: versions[name]})
	}
	return set, all, nil
}

// known returns the versions of the starter. Offline, they replace the registry's list of versions.
func known() (*resolve.Graph, error) {
	lock, err := resolve.ParseLock("starter", starter.Lock)
	if err != nil {
		return nil, err
	}
	return lock.Graph(), nil
}
