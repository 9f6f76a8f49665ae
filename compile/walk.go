package compile

import (
	"maps"
	"slices"
)

// mostSteps is the maximum number of imports that a walk follows, because sources can be hostile.
// That many take about 0.2 s. A document reloads for a change that needs more. Headers follow no more
// imports either ([project.links]).
const mostSteps = 1 << 20

// A walk goes from changed modules to those that accept the change.
type walk struct {
	graph      *Modules
	seen       map[string]bool
	boundaries []boundary
	steps      int
}

// A boundary is a module that accepts a change of the module via, which may be itself.
type boundary struct{ path, via string }

func newWalk(graph *Modules) *walk { return &walk{graph: graph, seen: map[string]bool{}} }

// step counts an import. It returns false if the walk has to end.
func (w *walk) step() bool {
	w.steps++
	return !w.isOver()
}

func (w *walk) isOver() bool { return w.steps > mostSteps || len(w.boundaries) > mostUpdates }

// fromImporters walks from the importers of a module.
func (w *walk) fromImporters(path string) bool {
	n := w.graph.nodes[path]
	return !n.isEntry && len(n.importers) > 0 && w.from(n.importers)
}

// from walks from the modules. It returns false if a document has to reload, because some chain of
// importers ends without a module that accepts the change.
func (w *walk) from(paths []string) bool {
	for _, path := range paths {
		if w.graph.nodes[path] != nil && !w.climb(path) {
			return false
		}
	}
	return true
}

// A link is a module of a chain of importers, with its importers that the walk has not visited.
type link struct {
	path string
	rest []string
}

// next returns an importer that has not been visited.
func (l *link) next() (importer string, ok bool) {
	if len(l.rest) == 0 {
		return "", false
	}
	importer, l.rest = l.rest[0], l.rest[1:]
	return importer, true
}

// climb does what from does for one module. As in Vite, it goes depth first, which is the order of
// the boundaries. The chain is no recursion, because it can have each module of a sandbox.
func (w *walk) climb(path string) bool {
	var chain []link
	visit := func(path string) bool {
		if w.seen[path] {
			return true
		}
		w.seen[path] = true
		n := w.graph.nodes[path]
		if n.acceptsSelf {
			w.boundaries = append(w.boundaries, boundary{path, path})
			return true
		}
		chain = append(chain, link{path, n.importers})
		return !n.isEntry && len(n.importers) > 0
	}
	ok := visit(path)
	for ok && len(chain) > 0 {
		last := &chain[len(chain)-1]
		importer, more := last.next()
		switch {
		case !more:
			chain = chain[:len(chain)-1]
		case w.graph.nodes[importer].acceptsFrom(last.path):
			w.boundaries = append(w.boundaries, boundary{importer, last.path})
			ok = w.step()
		default:
			ok = w.step() && visit(importer)
		}
	}
	return ok && !w.isOver()
}

// close marks as seen the modules that a boundary loads again and that import a module with a new
// version. Only import cycles have such modules. With their old URLs, they would keep running, with
// the old version of what they import.
func (w *walk) close() {
	below := w.below()
	for todo := slices.Collect(maps.Keys(w.seen)); len(todo) > 0 && !w.isOver(); {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, importer := range w.graph.nodes[path].importers {
			if w.step() && below[importer] && !w.seen[importer] && !w.graph.nodes[importer].acceptsFrom(path) {
				w.seen[importer] = true
				todo = append(todo, importer)
			}
		}
	}
}

// below returns the modules that the boundaries load again, and all that these import.
func (w *walk) below() map[string]bool {
	below := map[string]bool{}
	var todo []string
	add := func(path string) {
		if w.graph.nodes[path] != nil && !below[path] {
			below[path] = true
			todo = append(todo, path)
		}
	}
	for _, b := range w.boundaries {
		add(b.via)
	}
	for len(todo) > 0 && !w.isOver() {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, imported := range w.graph.nodes[path].imports {
			w.step()
			add(imported)
		}
	}
	return below
}
