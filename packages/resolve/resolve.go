package resolve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/bellglass/bellglass/packages/npm"
)

// A Registry says which versions a package has. [*npm.Client] is one.
type Registry interface {
	Packument(ctx context.Context, name string) (*npm.Packument, error)
}

// A Request is what to resolve.
type Request struct {
	Dependencies map[string]string // ranges by the name to import
	Fresh        []string          // names for which no lock decides
	Locked       *Graph            // from a lock, or nil
	Pins         Pins              // of another tool's lock, or nil
	Known        *Graph            // decides where no lock does, before a registry; or nil
	MaxPackages  int
}

// singletons are never in a graph twice: hooks and contexts work only within one copy.
var singletons = []string{"react", "react-dom"}

// Resolve chooses versions. The warnings are for people, and sorted by when they arose.
func Resolve(ctx context.Context, registry Registry, r Request) (g *Graph, warnings []string, err error) {
	if g := r.satisfied(); g != nil {
		return g, nil, nil
	}
	s := &resolver{registry: registry, request: r, graph: &Graph{Root: map[string]Edge{}, Packages: map[string]*Package{}}, byName: map[string][]*Package{}}
	level := s.edges("", r.Dependencies, nil, nil, nil)
	for len(level) > 0 {
		s.prefetch(ctx, level)
		if level, err = s.level(ctx, level); err != nil {
			return nil, nil, err
		}
	}
	for _, d := range s.later {
		s.optionalPeer(d)
	}
	return s.graph, s.warnings, nil
}

// satisfied returns the locked graph for this request, if the lock has all of it.
func (r Request) satisfied() *Graph {
	if r.Locked == nil || len(r.Fresh) > 0 {
		return nil
	}
	root := map[string]Edge{}
	for name, wanted := range r.Dependencies {
		edge, ok := r.Locked.Root[name]
		if !ok || edge.To == "" {
			return nil
		}
		spec, err := npm.ParseDependency(name, wanted)
		if err != nil || r.Locked.Packages[edge.To].Name != spec.Name {
			return nil
		}
		if edge.Range != wanted && !npm.Satisfies(r.Locked.Packages[edge.To].Version, spec.Range) {
			return nil
		}
		edge.Range = wanted
		root[name] = edge
	}
	return &Graph{Root: root, Packages: reachable(root, r.Locked.Packages)}
}

// A dependency is an edge that has no end yet.
type dependency struct {
	from string // key of a package, or "" for the application
	name string // to import
	spec npm.Spec
	Edge
}

type resolver struct {
	registry Registry
	request  Request
	graph    *Graph
	byName   map[string][]*Package // chosen versions by name in the registry, in order
	later    []dependency          // optional peers, which only use what others need
	warnings []string
}

func (s *resolver) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.warnings, text) {
		s.warnings = append(s.warnings, text)
	}
}

// edges returns the dependencies of a package, sorted by name.
func (s *resolver) edges(from string, wanted, optional, peers map[string]string, meta map[string]npm.PeerMeta) []dependency {
	all := map[string]Edge{}
	for name, r := range peers {
		all[name] = Edge{Range: r, Peer: true, Optional: meta[name].Optional}
	}
	for name, r := range wanted {
		all[name] = Edge{Range: r}
	}
	for name, r := range optional { // npm lists them as dependencies, too
		all[name] = Edge{Range: r, Optional: true}
	}
	var list []dependency
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, dependency{from: from, name: name, Edge: all[name]})
	}
	return list
}

// level gives each dependency its end, and returns the dependencies of new packages. Peers
// come first, because they are for everybody.
func (s *resolver) level(ctx context.Context, level []dependency) (next []dependency, err error) {
	var peers, others []dependency
	for _, d := range level {
		if d.spec, err = npm.ParseDependency(d.name, d.Range); err != nil {
			if d.Optional {
				s.set(d, "")
				continue
			}
			return nil, fmt.Errorf("%s: %w", who(d.from), &npm.RejectedError{Package: d.from, Reason: err.Error()})
		}
		switch {
		case d.Peer && d.Optional:
			s.later = append(s.later, d)
		case d.Peer:
			peers = append(peers, d)
		default:
			others = append(others, d)
		}
	}
	for _, d := range append(peers, others...) {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		p, isNew, err := s.choose(ctx, d, peers)
		if err != nil && d.Optional && left(err) {
			s.set(d, "")
			continue
		} else if err != nil {
			return nil, &npm.DependencyError{From: d.from, Name: d.name, Range: d.Range, Err: err}
		}
		s.set(d, p.Key())
		if isNew != nil {
			next = append(next, isNew...)
		}
	}
	return next, nil
}

// left reports whether an optional dependency is left out because of the error.
func left(err error) bool {
	_, none := errors.AsType[*npm.NoVersionError](err)
	_, notFound := errors.AsType[*npm.NotFoundError](err)
	return none || notFound || errors.Is(err, errNative)
}

// errNative is the reason to leave out a package with machine code.
var errNative = errors.New("it is for one kind of machine, and no browser is one")

func who(key string) string {
	if key == "" {
		return "the application"
	}
	return key
}

func (s *resolver) set(d dependency, to string) {
	d.To = to
	if d.from == "" {
		s.graph.Root[d.name] = d.Edge
		return
	}
	s.graph.Packages[d.from].Edges[d.name] = d.Edge
}

// choose returns the package for a dependency. If it is new in the graph, it also returns
// what that depends on.
func (s *resolver) choose(ctx context.Context, d dependency, peers []dependency) (*Package, []dependency, error) {
	fresh := d.from == "" && slices.Contains(s.request.Fresh, d.name)
	if p := s.chosen(d, fresh); p != nil {
		return p, nil, nil
	}
	if !fresh {
		if p, edges := of(s.request.Locked, d); p != nil {
			return p, edges, s.add(p)
		}
	}
	if d.spec.Range == "latest" && s.request.Known != nil {
		d.spec.Range = "*" // only a registry knows which version has the tag
	}
	if p, edges := of(s.request.Known, d); p != nil {
		return p, edges, s.add(p)
	}
	packument, err := s.registry.Packument(ctx, d.spec.Name)
	if err != nil {
		return nil, nil, err
	}
	m, err := s.pick(packument, d, peers, fresh)
	if err != nil {
		return nil, nil, err
	}
	if d.Optional && m.Native() {
		return nil, nil, errNative
	}
	if m.Deprecated != "" {
		s.warn("%s %s is deprecated: %s", m.Name, m.Version, m.Deprecated)
	}
	p := &Package{Name: m.Name, Version: m.Version, Dist: m.Dist, Edges: map[string]Edge{}}
	if s.graph.Packages[p.Key()] != nil { // another range led to the same version
		return s.graph.Packages[p.Key()], nil, nil
	}
	for _, pin := range s.request.Pins[m.Name] {
		if pin.Version == m.Version && pin.Integrity != "" {
			p.Dist.Integrity = pin.Integrity
		}
	}
	return p, s.edges(p.Key(), m.Dependencies, m.OptionalDependencies, m.PeerDependencies, m.PeerMeta), s.add(p)
}

// add puts a package into the graph.
func (s *resolver) add(p *Package) error {
	if len(s.graph.Packages) >= s.request.MaxPackages {
		return fmt.Errorf("%w; depend on fewer, or raise the limit", &npm.RejectedError{Reason: fmt.Sprintf("the application needs more than %d packages, which is the limit", s.request.MaxPackages)})
	}
	s.graph.Packages[p.Key()] = p
	s.byName[p.Name] = append(s.byName[p.Name], p)
	return nil
}

// chosen returns a package of the graph that can be used for a dependency, or nil. What the
// application depends on comes first, then the highest version.
func (s *resolver) chosen(d dependency, fresh bool) *Package {
	all := s.byName[d.spec.Name]
	if len(all) == 0 {
		return nil
	}
	if edge, ok := s.graph.Root[d.name]; ok && d.from != "" {
		if p := s.graph.Packages[edge.To]; p != nil && p.Name == d.spec.Name && npm.Satisfies(p.Version, d.spec.Range) {
			return p
		}
	}
	var best *Package
	for _, p := range all {
		if npm.Satisfies(p.Version, d.spec.Range) && (best == nil || npm.Compare(p.Version, best.Version) > 0) {
			best = p
		}
	}
	if best != nil && !fresh {
		return best
	}
	if d.Peer || slices.Contains(singletons, d.spec.Name) {
		s.warn("%s wants %s@%s, and gets %s, the one that is chosen for all", who(d.from), d.name, d.Range, all[0].Version)
		return all[0]
	}
	return nil
}

// of returns the package in a graph that satisfies a dependency, with its own dependencies, or nil.
func of(g *Graph, d dependency) (*Package, []dependency) {
	if g == nil {
		return nil, nil
	}
	old := g.Root
	if from := g.Packages[d.from]; from != nil {
		old = from.Edges
	}
	best := g.Packages[old[d.name].To]
	if best != nil && (best.Name != d.spec.Name || !npm.Satisfies(best.Version, d.spec.Range)) {
		best = nil
	}
	for _, key := range g.Keys() {
		if p := g.Packages[key]; best == nil && p.Name == d.spec.Name && npm.Satisfies(p.Version, d.spec.Range) {
			best = p
		}
	}
	if best == nil {
		return nil, nil
	}
	p := &Package{Name: best.Name, Version: best.Version, Dist: best.Dist, Edges: map[string]Edge{}}
	var edges []dependency
	for _, name := range slices.Sorted(maps.Keys(best.Edges)) {
		edge := best.Edges[name]
		if edge.Optional && !edge.Peer && edge.To == "" {
			p.Edges[name] = edge // stays left out
			continue
		}
		edge.To = ""
		edges = append(edges, dependency{from: p.Key(), name: name, Edge: edge})
	}
	return p, edges
}

// pick returns the version of a packument for a dependency.
func (s *resolver) pick(packument *npm.Packument, d dependency, peers []dependency, fresh bool) (*npm.Manifest, error) {
	if pin := s.request.Pins.best(d.spec); pin != nil && !fresh {
		if m := packument.Versions[pin.Version]; m != nil {
			return m, nil
		}
	}
	fits := func(m *npm.Manifest) bool {
		// The version's own peers, where these are chosen already.
		for name, wanted := range m.PeerDependencies {
			if all := s.byName[name]; len(all) > 0 && !m.PeerMeta[name].Optional && !npm.Satisfies(all[0].Version, wanted) {
				return false
			}
		}
		// Others that want the same peer.
		for _, other := range peers {
			if d.Peer && other.spec.Name == m.Name && !npm.Satisfies(m.Version, other.spec.Range) {
				return false
			}
		}
		return true
	}
	if !d.Peer {
		fits = nil
	}
	return packument.Pick(d.spec.Range, fits)
}

// optionalPeer ends an optional peer at what is chosen for others.
func (s *resolver) optionalPeer(d dependency) {
	all := s.byName[d.spec.Name]
	if len(all) == 0 {
		s.set(d, "")
		return
	}
	best := all[0]
	for _, p := range all {
		if npm.Satisfies(p.Version, d.spec.Range) {
			best = p
			break
		}
	}
	s.set(d, best.Key())
}

// prefetch asks for what a level needs, several at a time. Errors come up again in order.
func (s *resolver) prefetch(ctx context.Context, level []dependency) {
	var group errgroup.Group
	group.SetLimit(16)
	asked := map[string]bool{}
	for _, d := range level {
		spec, err := npm.ParseDependency(d.name, d.Range)
		if err != nil || asked[spec.Name] || d.Peer && d.Optional {
			continue
		}
		d.spec = spec
		if s.has(d) || !slices.Contains(s.request.Fresh, d.name) && s.lockHas(d) {
			continue
		}
		asked[spec.Name] = true
		group.Go(func() error {
			_, _ = s.registry.Packument(ctx, spec.Name)
			return nil
		})
	}
	_ = group.Wait()
}

// has reports whether the graph can satisfy a dependency without a registry.
func (s *resolver) has(d dependency) bool {
	return slices.ContainsFunc(s.byName[d.spec.Name], func(p *Package) bool { return npm.Satisfies(p.Version, d.spec.Range) })
}

// lockHas reports whether the lock can.
func (s *resolver) lockHas(d dependency) bool {
	if s.request.Locked == nil {
		return false
	}
	for _, p := range s.request.Locked.Packages {
		if p.Name == d.spec.Name && npm.Satisfies(p.Version, d.spec.Range) {
			return true
		}
	}
	return false
}
