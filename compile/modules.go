package compile

import (
	"fmt"
	"strings"
)

// Modules is the graph of the modules of a compiled state: which modules import which, and which
// accept changes of others (import.meta.hot). It is nil if no source uses import.meta.hot. Then
// documents reload for each change of a module.
//
// The semantics are those of Vite's HMR API, because programs are written for it.
type Modules struct {
	nodes map[string]*node // by path
	// versions has the modules that documents have replaced since they loaded, each with the
	// revision of its last change. The revision is part of the module's URL, because a document
	// loads each URL only once.
	versions map[string]int64
	// invalid has the modules that have called import.meta.hot.invalidate since a file last
	// changed.
	invalid map[string]bool
}

// mostInvalid is the maximum number of invalid modules after one change.
const mostInvalid = 100

// CanBeInvalid reports whether a call of import.meta.hot.invalidate counts: the module accepts
// itself, has been replaced, and is not invalid yet.
func (m *Modules) CanBeInvalid(path string) bool {
	return m != nil && m.nodes[path] != nil && m.nodes[path].acceptsSelf && m.versions[path] > 0 && !m.invalid[path] && len(m.invalid) < mostInvalid
}

// A node is one module.
type node struct {
	key      string // differs if the compiled module differs
	isSource bool
	// isEntry says that a page runs or imports the module. A page accepts no changes.
	isEntry     bool
	imports     []string
	importers   []string
	acceptsSelf bool
	accepts     map[string]string // the URLs of imports whose changes it accepts, by path
}

// acceptsFrom reports whether the module accepts changes of an import.
func (n *node) acceptsFrom(path string) bool {
	_, ok := n.accepts[path]
	return ok
}

// modules returns the graph of the modules, or nil if it is unknown. The sources must be linked.
func (p *project) modules(before *Modules) *Modules {
	if !p.isHot {
		return nil
	}
	m := &Modules{nodes: map[string]*node{}}
	for _, s := range p.ordered {
		n := &node{key: s.key + s.leads(), isSource: true, imports: s.imports, acceptsSelf: s.scanned.AcceptsSelf, accepts: map[string]string{}}
		for _, specifier := range s.scanned.Accepts {
			if target, file := p.resolver.resolve(s.Path, specifier, s.config); file != "" {
				n.accepts[file] = target.URL
			}
		}
		if s.scanned.Failed() && before != nil && before.nodes[s.Path] != nil {
			// Documents still run the module from before the mistake.
			n.imports, n.acceptsSelf, n.accepts = before.nodes[s.Path].imports, before.nodes[s.Path].acceptsSelf, before.nodes[s.Path].accepts
		}
		m.nodes[s.Path] = n
	}
	for _, s := range p.ordered {
		for _, path := range m.nodes[s.Path].imports {
			if m.nodes[path] == nil && !isStyleSheet(path) {
				m.nodes[path] = &node{key: p.keyOfAsset(path)}
			}
			if to := m.nodes[path]; to != nil && (len(to.importers) == 0 || to.importers[len(to.importers)-1] != s.Path) {
				to.importers = append(to.importers, s.Path)
			}
		}
	}
	if !p.markEntries(m) {
		return nil
	}
	return m
}

// leads returns the part of a module's key that says where its imports lead.
func (s *source) leads() string {
	var b strings.Builder
	for _, specifier := range s.scanned.Specifiers {
		fmt.Fprintf(&b, " %q %q", s.targets[specifier].URL, s.targets[specifier].Problem)
	}
	return b.String()
}

// isStyleSheet reports whether a module only loads a style sheet. A document replaces the style
// sheet in place, and not the module.
func isStyleSheet(path string) bool { return strings.HasSuffix(path, ".css") && !isStyleModule(path) }

func (p *project) keyOfAsset(path string) string {
	file, _, is := cutQuery(path)
	if !is {
		file = path
	}
	entry, _ := p.files.Lookup(file)
	return entry.Hash.String()
}

// prelude returns the code that sets a module's import.meta.hot. Without the client script of a
// document, as in a worker, import.meta.hot is undefined.
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
