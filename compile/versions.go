package compile

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// The limits of an event: the number of files and updates together, and the bytes of their paths.
// Documents reload for a larger change.
const (
	mostUpdates = 100
	updateBytes = 16 << 10
)

// since returns how a document that runs the modules of the previous state replaces them with
// these, and sets m.versions to match. It returns nil if no module differs, or if the document has
// to reload. covers reports whether the updates of modules show a change of the file completely.
func (m *Modules) since(in Input, covers func(file string) bool) *protocol.ModuleChanges {
	before := in.Before
	if m == nil || before == nil {
		return nil
	}
	w := newWalk(before)
	files, ok := []string{}, false
	if in.Invalid != "" {
		if m.invalid = maps.Clone(before.invalid); m.invalid == nil {
			m.invalid = map[string]bool{}
		}
		m.invalid[in.Invalid] = true
		ok = w.fromImporters(in.Invalid)
	} else {
		m.versions = before.versions
		changed := m.changed(before)
		if len(changed) == 0 {
			return nil
		}
		ok = w.from(changed)
		files = filesOf(changed)
	}
	if ok = ok && fits(files, w.boundaries); ok {
		files, ok = covered(files, covers)
	}
	updates := []protocol.ModuleUpdate{}
	if ok {
		updates, ok = w.updates(in.Revision, m.invalid)
	}
	if !ok {
		m.versions = nil // a document that reloads needs none
		return nil
	}
	if m.versions = maps.Clone(before.versions); m.versions == nil {
		m.versions = map[string]int64{}
	}
	for path := range w.seen {
		m.versions[path] = in.Revision
	}
	maps.DeleteFunc(m.versions, func(path string, _ int64) bool { return m.nodes[path] == nil })
	return &protocol.ModuleChanges{Files: files, Updates: updates}
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

// fits reports whether an event has room for the files and for the updates of the boundaries.
func fits(files []string, boundaries []boundary) bool {
	size := 0
	for _, path := range files {
		size += len(path)
	}
	for _, b := range boundaries {
		size += len(b.path) + 2*len(b.via)
	}
	return len(files)+len(boundaries) <= mostUpdates && size <= updateBytes
}

// updates returns what a document does. ok is false if it has to reload. invalid has the modules
// that have called import.meta.hot.invalidate.
func (w *walk) updates(revision int64, invalid map[string]bool) (updates []protocol.ModuleUpdate, ok bool) {
	circular := w.circular()
	w.close()
	updates = []protocol.ModuleUpdate{}
	for _, b := range w.boundaries {
		if invalid[b.via] { // otherwise the updates could repeat forever
			return nil, false
		}
		url := vfs.URLPath(b.via)
		if b.path != b.via {
			url = w.graph.nodes[b.path].accepts[b.via]
		}
		updates = append(updates, protocol.ModuleUpdate{Boundary: b.path, Accepted: b.via, URL: withVersion(url, revision), Circular: circular[b.path]})
	}
	return updates, !w.isOver()
}

// withVersion adds the version of a module to its URL. It keeps the query and the fragment. The name
// of the parameter is Vite's.
func withVersion(url string, version int64) string {
	address, fragment, hasFragment := strings.Cut(url, "#")
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address += separator + "t=" + strconv.FormatInt(version, 10)
	if hasFragment {
		address += "#" + fragment
	}
	return address
}

// version makes the imports load the current versions of their modules.
func (p *project) version(s *source, m *Modules) {
	if m == nil {
		return
	}
	for specifier, file := range s.files {
		if m.versions[file] > 0 {
			target := s.targets[specifier]
			target.URL = withVersion(target.URL, m.versions[file])
			s.targets[specifier] = target
			s.changes = true
		}
	}
}
