package compile

// circular returns the modules that import themselves through others, among the boundaries and
// their importers. A boundary in a cycle is one of Vite's circular boundaries: the chain of
// importers from the changed module contains the boundary, so it meets each cycle of the boundary.
//
// These modules are the strongly connected components with several modules (Tarjan's algorithm).
func (w *walk) circular() map[string]bool {
	t := tarjan{walk: w, visits: map[string]*visit{}, circular: map[string]bool{}}
	for _, b := range w.boundaries {
		if t.visits[b.path] == nil {
			t.visit(b.path)
		}
	}
	return t.circular
}

type tarjan struct {
	walk     *walk
	visits   map[string]*visit
	chain    []link
	open     []string // the modules whose component is not complete
	circular map[string]bool
}

// A visit is a module that the algorithm has reached.
type visit struct {
	index, low int
	at         int // in open, or -1
}

func (t *tarjan) enter(path string) {
	t.visits[path] = &visit{index: len(t.visits), low: len(t.visits), at: len(t.open)}
	t.open = append(t.open, path)
	t.chain = append(t.chain, link{path, t.walk.graph.nodes[path].importers})
}

func (t *tarjan) visit(path string) {
	t.enter(path)
	for len(t.chain) > 0 {
		last := &t.chain[len(t.chain)-1]
		v := t.visits[last.path]
		importer, more := last.next()
		if !more {
			t.leave(v)
			continue
		}
		if !t.walk.step() {
			return
		}
		if to := t.visits[importer]; to == nil {
			t.enter(importer)
		} else if to.at >= 0 {
			v.low = min(v.low, to.index)
		}
	}
}

// leave ends the visit of the last module of the chain.
func (t *tarjan) leave(v *visit) {
	t.chain = t.chain[:len(t.chain)-1]
	if len(t.chain) > 0 {
		above := t.visits[t.chain[len(t.chain)-1].path]
		above.low = min(above.low, v.low)
	}
	if v.low < v.index {
		return
	}
	component := t.open[v.at:]
	t.open = t.open[:v.at]
	for _, path := range component {
		t.visits[path].at = -1
		if len(component) > 1 {
			t.circular[path] = true
		}
	}
}
