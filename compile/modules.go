package compile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// Modules are the modules of a compiled state: which import which, and which accept that others
// change (import.meta.hot). nil has none, and so has a state without a module that uses
// import.meta.hot: there each change needs a load.
//
// The semantics are those of Vite's development server (HMR API), which programs expect.
type Modules struct {
	nodes map[string]*node // by path
	// versions has the revision of each module that documents have taken over since they were
	// loaded. It is part of the module's URL: a browser loads each URL once.
	versions map[string]int64
	// invalid has the modules that could not take a change since the last change of a file.
	invalid map[string]bool
}

// mostInvalid is how many modules can be invalid after one change.
const mostInvalid = 100

// What an event may list: how many files and modules, and how many bytes. A change of more is a
// load.
const (
	mostUpdates = 100
	updateBytes = 16 << 10
)

// CanBeInvalid reports whether the module may say that it cannot take its change itself: it has been
// replaced, it accepts itself, and it has not said so before.
func (m *Modules) CanBeInvalid(path string) bool {
	return m != nil && m.nodes[path] != nil && m.nodes[path].acceptsSelf && m.versions[path] > 0 && !m.invalid[path] && len(m.invalid) < mostInvalid
}

// A node is one module.
type node struct {
	key         string // differs if what the module is compiled to differs
	imports     []string
	importers   []string
	acceptsSelf bool
	accepts     map[string]bool // by path
}

// versionQuery is the query parameter for a module's version, as in Vite.
const versionQuery = "?t="

// url returns the address of a module.
func (m *Modules) url(path string) string {
	url := vfs.URLPath(modulePath(path))
	if m == nil || m.versions[path] == 0 {
		return url
	}
	return url + versionQuery + strconv.FormatInt(m.versions[path], 10)
}

// modulePath returns the path at which the module of an import is.
func modulePath(path string) string {
	if file, query, is := cutQuery(path); is {
		return queried(file, query)
	}
	return path
}

// modules returns the modules of the project, whose sources have been linked.
func (p *project) modules(before *Modules) *Modules {
	if !p.isHot {
		return nil
	}
	m := &Modules{nodes: map[string]*node{}}
	for _, s := range p.ordered {
		n := &node{key: s.key + s.leads(), imports: s.imports, acceptsSelf: s.scanned.AcceptsSelf, accepts: map[string]bool{}}
		for _, specifier := range s.scanned.Accepts {
			if _, file := p.resolver.resolve(s.Path, specifier, s.config); file != "" {
				n.accepts[file] = true
			}
		}
		if s.scanned.Failed() && before != nil && before.nodes[s.Path] != nil {
			// Documents run what it was before the mistake.
			n.imports, n.acceptsSelf, n.accepts = before.nodes[s.Path].imports, before.nodes[s.Path].acceptsSelf, before.nodes[s.Path].accepts
		}
		m.nodes[s.Path] = n
	}
	for _, s := range p.ordered {
		for _, path := range m.nodes[s.Path].imports {
			if m.nodes[path] == nil && !isStyleSheet(path) {
				m.nodes[path] = &node{key: p.keyOfAsset(path)}
			}
			if to := m.nodes[path]; to != nil && !slices.Contains(to.importers, s.Path) {
				to.importers = append(to.importers, s.Path)
			}
		}
	}
	return m
}

// leads is the part of a module's key that says where its imports lead.
func (s *source) leads() string {
	var b strings.Builder
	for _, specifier := range s.scanned.Specifiers {
		fmt.Fprintf(&b, " %q %q", s.targets[specifier].URL, s.targets[specifier].Problem)
	}
	return b.String()
}

// isStyleSheet reports whether a module only loads a style sheet, which is replaced in place
// without it.
func isStyleSheet(path string) bool { return strings.HasSuffix(path, ".css") && !isStyleModule(path) }

func (p *project) keyOfAsset(path string) string {
	file, _, is := cutQuery(path)
	if !is {
		file = path
	}
	entry, _ := p.files.Lookup(file)
	return entry.Hash.String()
}

// since returns how a document that runs the modules of before takes over these, and sets the
// versions that it then has. It returns nil if only a load will do, or if no module differs. invalid
// is [Input.Invalid].
func (m *Modules) since(before *Modules, revision int64, invalid string) *protocol.ModuleChanges {
	if m == nil || before == nil {
		return nil
	}
	w := walk{graph: before, seen: map[string]bool{}}
	var changed []string
	isDead := false
	if invalid != "" {
		m.invalid = maps.Clone(before.invalid)
		if m.invalid == nil {
			m.invalid = map[string]bool{}
		}
		m.invalid[invalid] = true
		importers := before.nodes[invalid].importers
		isDead = len(importers) == 0 || w.areDeadEnds(importers)
	} else {
		m.versions = before.versions
		if changed = m.changed(before); len(changed) == 0 {
			return nil
		}
		isDead = w.areDeadEnds(changed)
	}
	changes := &protocol.ModuleChanges{Files: filesOf(changed), Updates: []protocol.ModuleUpdate{}}
	size := 0
	for _, path := range changes.Files {
		size += len(path)
	}
	for _, b := range w.boundaries {
		size += len(b.path) + 2*len(b.via)
	}
	if isDead || len(changes.Files)+len(w.boundaries) > mostUpdates || size > updateBytes {
		m.versions = nil // a load takes everything anew
		return nil
	}
	w.close()
	m.versions = maps.Clone(before.versions)
	if m.versions == nil {
		m.versions = map[string]int64{}
	}
	for path := range w.seen {
		m.versions[path] = revision
	}
	maps.DeleteFunc(m.versions, func(path string, _ int64) bool { return m.nodes[path] == nil })
	for _, b := range w.boundaries {
		if m.invalid[b.via] { // otherwise it would go in circles
			m.versions = nil
			return nil
		}
		changes.Updates = append(changes.Updates, protocol.ModuleUpdate{Boundary: b.path, Accepted: b.via, URL: m.url(b.via), Circular: b.circular})
	}
	return changes
}

// filesOf returns the files of modules, each once.
func filesOf(paths []string) []string {
	files := []string{}
	for _, path := range paths {
		if file, _, is := cutQuery(path); is {
			path = file
		}
		files = append(files, path)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// changed returns the paths of the modules that differ, sorted.
func (m *Modules) changed(before *Modules) (paths []string) {
	for path, n := range m.nodes {
		if old := before.nodes[path]; old == nil || old.key != n.key {
			paths = append(paths, path)
		}
	}
	for path := range before.nodes {
		if m.nodes[path] == nil {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// A walk goes from changed modules to those that accept the change.
type walk struct {
	graph      *Modules
	seen       map[string]bool
	boundaries []boundary
}

// A boundary is a module that accepts a change of the module via, which may be itself.
type boundary struct {
	path, via string
	// circular says that the module imports itself by a chain of others.
	circular bool
}

// areDeadEnds reports whether one of the modules is a dead end.
func (w *walk) areDeadEnds(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return w.graph.nodes[path] != nil && w.isDeadEnd(path, []string{path})
	})
}

// isDeadEnd reports whether some importer accepts the change neither itself nor by its importers.
// chain are the modules on the way.
func (w *walk) isDeadEnd(path string, chain []string) bool {
	if w.seen[path] {
		return false
	}
	w.seen[path] = true
	n := w.graph.nodes[path]
	if n.acceptsSelf {
		w.accept(path, path, chain)
		return false
	}
	if len(n.importers) == 0 {
		return true
	}
	for _, importer := range n.importers {
		longer := append(slices.Clone(chain), importer)
		switch {
		case w.graph.nodes[importer].accepts[path]:
			w.accept(importer, path, longer)
		case !slices.Contains(chain, importer) && w.isDeadEnd(importer, longer):
			return true
		}
	}
	return false
}

func (w *walk) accept(path, via string, chain []string) {
	b := boundary{path: path, via: via, circular: w.isCircular(path, chain)}
	if !slices.Contains(w.boundaries, b) {
		w.boundaries = append(w.boundaries, b)
	}
}

// close adds the modules between those that are loaded again and those that they import again: in a
// circle, a module that is not seen imports one that is. It would go on with the old one.
func (w *walk) close() {
	below := map[string]bool{}
	var collect func(path string)
	collect = func(path string) {
		n := w.graph.nodes[path]
		if n == nil || below[path] {
			return
		}
		below[path] = true
		for _, imported := range n.imports {
			collect(imported)
		}
	}
	for _, b := range w.boundaries {
		collect(b.via)
	}
	for grown := true; grown; {
		grown = false
		for path := range below {
			n := w.graph.nodes[path]
			if !w.seen[path] && slices.ContainsFunc(n.imports, func(imported string) bool { return w.seen[imported] && !n.accepts[imported] }) {
				w.seen[path], grown = true, true
			}
		}
	}
}

// isCircular reports whether a module on the chain is imported, by whatever way, by the one at its
// end.
func (w *walk) isCircular(path string, chain []string) bool {
	seen := map[string]bool{}
	var reaches func(from string) bool
	reaches = func(from string) bool {
		for _, importer := range w.graph.nodes[from].importers {
			if importer == from {
				continue
			}
			if slices.Contains(chain, importer) {
				return true
			}
			if !seen[importer] {
				seen[importer] = true
				if reaches(importer) {
					return true
				}
			}
		}
		return false
	}
	return reaches(path)
}

// prelude gives a module its import.meta.hot. Without the script that every document begins with,
// as in a worker, it is undefined.
func (p *project) prelude(s *source) string {
	if !s.scanned.UsesHot {
		return ""
	}
	var accepted strings.Builder
	for _, specifier := range s.scanned.Accepts {
		if _, file := p.resolver.resolve(s.Path, specifier, s.config); file != "" {
			fmt.Fprintf(&accepted, "%s: %s, ", quoted(specifier), quoted(file))
		}
	}
	return fmt.Sprintf("import.meta.hot = globalThis[Symbol.for('bellglass.hot')]?.(%s, { %s});", quoted(s.Path), accepted.String())
}
