package compile

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/vfs"
)

// bundle makes the modules of the packages that the sources import.
func (p *project) bundle(ctx context.Context) {
	packages := p.resolver.packages
	if packages == nil {
		return
	}
	wanted := map[string]bool{}
	for _, s := range p.sources {
		for _, specifier := range s.scanned.Specifiers {
			wanted[specifier] = wanted[specifier] || p.resolver.isBare(specifier, s.config)
		}
	}
	maps.DeleteFunc(wanted, func(_ string, isBare bool) bool { return !isBare })
	p.resolver.bare = make(map[string]transform.Target, len(wanted))
	specifiers := slices.Sorted(maps.Keys(wanted))
	if len(specifiers) == 0 {
		return
	}
	all := packages.Bundle(ctx, specifiers...)
	known, isKnown := errors.AsType[knownFailure](all)
	for _, specifier := range specifiers {
		// If all fail together, each is bundled alone, so that the others are available.
		err := all
		if err != nil && ctx.Err() == nil && !(isKnown && known.Fails(specifier)) {
			err = packages.Bundle(ctx, specifier)
		}
		if path, ok := packages.Resolve(specifier); err == nil && ok {
			p.resolver.bare[specifier] = transform.Target{URL: vfs.URLPath(path)}
		} else if err != nil {
			p.resolver.bare[specifier] = transform.Target{URL: specifier, Problem: err.Error()}
		}
	}
}

// A knownFailure is an error of [Packages.Bundle] that reports which specifiers fail again if they
// are bundled alone.
type knownFailure interface {
	error
	Fails(specifier string) bool
}

// packageModules returns the files of the packages, if a source imports one.
func (p *project) packageModules() map[string][]byte {
	if len(p.resolver.bare) == 0 {
		return nil
	}
	return p.resolver.packages.Files()
}
