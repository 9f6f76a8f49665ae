package compile

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile/transform"
)

// graphOf returns the graph of modules whose imports are known. A module in accepting accepts its
// own changes.
func graphOf(imports map[string][]string, accepting ...string) *Modules {
	m := &Modules{nodes: map[string]*node{}}
	for path, imported := range imports {
		m.nodes[path] = &node{key: "1", isSource: true, imports: imported, accepts: map[string]string{}}
	}
	for _, path := range accepting {
		m.nodes[path].acceptsSelf = true
	}
	for _, path := range slices.Sorted(maps.Keys(m.nodes)) {
		for _, imported := range m.nodes[path].imports {
			m.nodes[imported].importers = append(m.nodes[imported].importers, path)
		}
	}
	return m
}

// afterChange returns the graph after a change of the module.
func (m *Modules) afterChange(path string) *Modules {
	next := &Modules{nodes: map[string]*node{}}
	for path, n := range m.nodes {
		same := *n
		next.nodes[path] = &same
	}
	next.nodes[path].key = "2"
	return next
}

func always(string) bool { return true }

// A change takes a number of steps in proportion to the number of imports, whatever the sources
// are. They can be hostile, and the walk has no deadline.
func TestStepsOfAWalk(t *testing.T) {
	const count = 20_000
	chain, ring, star, dense := map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}
	name := func(i int) string { return fmt.Sprintf("/%05d.ts", i) }
	var tops []string
	for i := range count {
		chain[name(i)] = []string{name(i + 1)}
		ring[name(i)] = []string{name((i + 1) % count)}
		star[name(i)] = []string{name(count)}
		tops = append(tops, name(i))
	}
	chain[name(count)], star[name(count)] = nil, nil
	for _, path := range tops[:1_100] {
		dense[path] = tops[:1_100]
	}
	for _, row := range []struct {
		name    string
		graph   *Modules
		changed string
		updates int // or -1 if a document reloads
		most    int // steps for each module
	}{
		{"a chain to a module that accepts", graphOf(chain, name(0)), name(count), 1, 4},
		{"a chain to a page", graphOf(chain), name(count), -1, 1},
		{"a ring with a module that accepts", graphOf(ring, name(0)), name(1), 1, 4},
		{"a ring", graphOf(ring), name(1), 0, 2},
		{"more boundaries than an event has", graphOf(star, tops...), name(count), -1, 1},
		{"every module imports every module", graphOf(dense, name(0)), name(1), -1, (mostSteps + 1_100) / 1_100},
	} {
		before := row.graph
		w := newWalk(before)
		if w.from([]string{row.changed}) {
			w.updates(2, nil)
		}
		if most := row.most * len(before.nodes); w.steps > most {
			t.Errorf("%s: %d steps, want at most %d", row.name, w.steps, most)
		}
		changes, updates := before.afterChange(row.changed).since(Input{Before: before, Revision: 2}, always), -1
		if changes != nil {
			updates = len(changes.Updates)
		}
		if updates != row.updates {
			t.Errorf("%s: %d updates, want %d", row.name, updates, row.updates)
		}
	}
}

// byVite returns the boundaries of a change by the functions propagateUpdate and
// isNodeWithinCircularImports of Vite 7, or "load".
func (m *Modules) byVite(changed string) string {
	var did []string
	traversed := map[string]bool{}
	var isCircular func(node string, chain, current []string, traversed map[string]bool) bool
	isCircular = func(node string, chain, current []string, traversed map[string]bool) bool {
		if traversed[node] {
			return false
		}
		traversed[node] = true
		for _, importer := range m.nodes[node].importers {
			if importer == node {
				continue
			}
			if slices.Contains(chain, importer) {
				return true
			}
			if !slices.Contains(current, importer) && isCircular(importer, chain, append(slices.Clone(current), importer), traversed) {
				return true
			}
		}
		return false
	}
	accept := func(path, via string, chain []string) {
		did = append(did, fmt.Sprint(path, via, isCircular(path, chain, []string{path}, map[string]bool{})))
	}
	var propagate func(node string, chain []string) bool
	propagate = func(node string, chain []string) bool {
		if traversed[node] {
			return false
		}
		traversed[node] = true
		if m.nodes[node].acceptsSelf {
			accept(node, node, chain)
			return false
		}
		if len(m.nodes[node].importers) == 0 {
			return true
		}
		for _, importer := range m.nodes[node].importers {
			longer := append(slices.Clone(chain), importer)
			if m.nodes[importer].acceptsFrom(node) {
				accept(importer, node, longer)
				continue
			}
			if !slices.Contains(chain, importer) && propagate(importer, longer) {
				return true
			}
		}
		return false
	}
	if propagate(changed, []string{changed}) {
		return "load"
	}
	return strings.Join(did, ", ")
}

func TestWalkIsThatOfVite(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	answers := map[string]int{}
	for range 20_000 {
		imports, count := map[string][]string{}, 2+random.IntN(7)
		for i := range count {
			path := fmt.Sprint("/", i)
			imports[path] = nil
			for j := range count {
				if random.IntN(count) < 2 {
					imports[path] = append(imports[path], fmt.Sprint("/", j))
				}
			}
		}
		m := graphOf(imports)
		for _, path := range slices.Sorted(maps.Keys(m.nodes)) {
			n := m.nodes[path]
			n.acceptsSelf = random.IntN(4) == 0
			for _, imported := range n.imports {
				if random.IntN(4) == 0 {
					n.accepts[imported] = imported
				}
			}
		}
		want, got, w := m.byVite("/0"), "load", newWalk(m)
		if w.from([]string{"/0"}) {
			updates, _ := w.updates(2, nil)
			var did []string
			for _, u := range updates {
				did = append(did, fmt.Sprint(u.Boundary, u.Accepted, u.Circular))
			}
			got = strings.Join(did, ", ")
		}
		if got != want {
			t.Fatalf("%v: %s, by Vite %s", imports, got, want)
		}
		kind := "update"
		switch {
		case want == "load":
			kind = "load"
		case strings.Contains(want, "true"):
			kind = "circular"
		}
		answers[kind]++
	}
	if len(answers) != 3 || answers["load"] > 15_000 || answers["circular"] < 1_000 || answers["update"] < 1_000 {
		t.Errorf("the graphs are too much alike: %v", answers)
	}
}

// The cache is bounded by this size.
func TestSizeOfAnOutput(t *testing.T) {
	text := strings.Repeat("x", 1_000)
	for name, o := range map[string]transform.Output{
		"code": {Code: []byte(text)}, "specifiers": {Specifiers: []string{text}}, "static": {Static: []string{text}}, "exports": {Exports: []string{text}}, "accepts": {Accepts: []string{text}},
	} {
		if size := sizeOf(o); size < len(text) {
			t.Errorf("%s: %d bytes, want at least %d", name, size, len(text))
		}
	}
}
