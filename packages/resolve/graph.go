// Package resolve chooses the versions of packages, as npm does, and keeps the choice in a
// lock file.
//
// A caller wants [Resolve], which returns a [Graph], and [ParseLock] with [Graph.Lock] for
// the file. With a lock that satisfies the request, Resolve asks no registry.
//
// A graph has one version of a package where the ranges allow one. A peer dependency is
// satisfied by the version that is chosen for everybody, even if its range says otherwise:
// two copies of a framework in a page fail in ways that are hard to find. Resolve then
// returns a warning.
package resolve

import (
	"slices"

	"github.com/bellglass/bellglass/packages/npm"
)

// A Graph is packages with what each imports.
type Graph struct {
	Root     map[string]Edge     // what the application imports, by name
	Packages map[string]*Package // by key
}

// An Edge is a dependency. To is "" if an optional dependency is left out.
type Edge struct {
	Range    string
	To       string // key of a package
	Peer     bool
	Optional bool
}

// A Package is one version of one package.
type Package struct {
	Name    string // in the registry; who imports it may use an alias
	Version string
	Dist    npm.Dist
	Edges   map[string]Edge // by the name to import
}

// Key returns NAME@VERSION.
func (p *Package) Key() string { return p.Name + "@" + p.Version }

// Keys returns the keys of all packages, sorted.
func (g *Graph) Keys() []string {
	keys := make([]string, 0, len(g.Packages))
	for key := range g.Packages {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// reachable returns the part of the packages that root leads to.
func reachable(root map[string]Edge, packages map[string]*Package) map[string]*Package {
	found := map[string]*Package{}
	var visit func(edges map[string]Edge)
	visit = func(edges map[string]Edge) {
		for _, edge := range edges {
			if p := packages[edge.To]; p != nil && found[edge.To] == nil {
				found[edge.To] = p
				visit(p.Edges)
			}
		}
	}
	visit(root)
	return found
}
