package compile

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// CacheBytes is the size, in bytes, of the results that a compiler keeps.
const CacheBytes = 128 << 20

// A Compiler compiles the files of sandboxes. It is safe for concurrent use.
type Compiler struct {
	transformer Transformer
	cache       *cache
}

// New returns a compiler that gives each source to the transformer.
func New(t Transformer) *Compiler { return &Compiler{t, newCache(CacheBytes)} }

// A Result is what a state of a sandbox's files is compiled to.
type Result struct {
	// Served has the files, and what they are compiled to. It is the compiled snapshot itself
	// if nothing in it needs to be compiled.
	Served *vfs.Snapshot
	// Links has, by the path of a page, the value of its header Link. It names the modules that the
	// page's scripts import, so that the browser loads all of them at once.
	Links map[string]string
	// Diagnostics are sorted by file and place. There are at most [MaxDiagnostics].
	Diagnostics []protocol.Diagnostic
	// Modules is the graph of the modules. It is the [Input.Before] of the next state.
	Modules *Modules
	// Changes says how a document of the previous state replaces its modules in place. It is nil
	// if no module differs, or if the document has to reload.
	Changes *protocol.ModuleChanges
}

// MaxDiagnostics is the maximum number of diagnostics of a result.
const MaxDiagnostics = 100

// An Input is one state of a sandbox's files, to be compiled.
type Input struct {
	Files *vfs.Snapshot
	// Packages has the packages that sources can import, or is nil.
	Packages Packages
	// Before has the modules of the previous state, or is nil.
	Before *Modules
	// Revision is the number of this state. It must be larger than those of earlier states.
	Revision int64
	// Invalid is the path of a module that has called import.meta.hot.invalidate, or "". If it is
	// set, Files are those of the previous state.
	Invalid string
}

// Compile compiles the files. It stops bundling packages when ctx is done. It fails with a
// [*vfs.LimitError] if the store has no room for the result.
func (c *Compiler) Compile(ctx context.Context, in Input) (Result, error) {
	files, packages := in.Files, in.Packages
	p := &project{compiler: c, files: files, configs: newConfigs(files), sources: map[string]*source{}}
	p.resolver = resolver{files: files, packages: packages, maps: c.importMaps(files)}
	p.collect()
	p.each(p.scan)
	p.bundle(ctx)
	for _, s := range p.ordered {
		s.exports = setOf(s.scanned.Exports)
	}
	for _, s := range p.ordered {
		p.link(s)
	}
	p.each(p.check)
	result := Result{Served: files, Modules: p.modules(in.Before)}
	result.Changes = result.Modules.since(in, func(file string) bool { return p.covers(file, result.Modules, in.Before) })
	for _, s := range p.ordered {
		p.version(s, result.Modules)
	}
	p.each(p.emit)
	additions, links := p.additions(), p.public()
	result.Diagnostics, result.Links = p.diagnostics(), p.links()
	if len(additions)+len(links) == 0 {
		return result, nil
	}
	served, err := files.Extend(additions, links)
	result.Served = served
	return result, err
}

// A project is one state of a sandbox's files while it is compiled.
type project struct {
	compiler *Compiler
	files    *vfs.Snapshot
	configs  *configs
	resolver resolver
	sources  map[string]*source // by path
	ordered  []*source          // by path
	isHot    bool               // a source may use import.meta.hot

	problems []protocol.Diagnostic // of files that are no sources
	searched int64                 // bytes that mentions has searched
}

// A source is one source file while it is compiled.
type source struct {
	transform.Source
	key     string // of the source and its configuration
	config  config
	scanned transform.Output
	exports map[string]bool
	targets map[string]transform.Target
	imports []string          // paths of the files that it imports
	files   map[string]string // these paths by specifier
	emitted transform.Output
	missing []missing
	unnamed []protocol.Diagnostic // why its missing names are not known
	// changes says that the browser cannot run the file as it is.
	changes bool
}

// collect finds the sources, and reads them. A file that has just changed on disk is left out: the
// next revision has it.
//
// If a file may use import.meta.hot, every JavaScript file is a source: the graph of the modules
// must be complete.
func (p *project) collect() {
	for entry := range p.files.Entries() {
		if _, ok := languageOf(entry.Path); ok && entry.Size <= transform.MaxSource && p.hintsOf(entry).isHot {
			p.isHot = true
			break
		}
	}
	for entry := range p.files.Entries() {
		language, ok := languageOf(entry.Path)
		if !ok {
			continue
		}
		config := p.configs.of(path.Dir(entry.Path))
		if language == transform.JavaScript && (entry.Size > transform.MaxSource || !p.isHot && !p.needs(entry, config)) {
			continue
		}
		blob, _ := p.files.Blob(entry.Hash)
		text, err := blob.Bytes()
		if err != nil {
			continue
		}
		s := &source{
			Source:  transform.Source{Path: entry.Path, Language: language, Text: string(text), Config: config.raw},
			key:     fmt.Sprintf("%s %s %q %q", entry.Hash, language, entry.Path, config.raw),
			config:  config,
			changes: language != transform.JavaScript,
		}
		p.sources[entry.Path] = s
		p.ordered = append(p.ordered, s)
	}
}

// each calls a function for every source, for several at once.
func (p *project) each(do func(*source)) {
	var group errgroup.Group
	group.SetLimit(4)
	for _, s := range p.ordered {
		group.Go(func() error {
			do(s)
			return nil
		})
	}
	_ = group.Wait() // no function fails
}

func sizeOf(o transform.Output) int {
	n := len(o.Code)
	for _, text := range slices.Concat(o.Specifiers, o.Static, o.Exports, o.Accepts) {
		n += len(text) + 16
	}
	for _, d := range o.Problems {
		n += len(d.Text) + len(d.SourceLine) + 128
	}
	for _, i := range o.Imports {
		n += len(i.Specifier) + 40
		for _, name := range i.Names {
			n += len(name) + 16
		}
	}
	return n
}

// scan finds out what the source imports and exports. JavaScript with JSX in it is JSX.
func (p *project) scan(s *source) {
	s.scanned = p.transformed(s.Path, "scan "+s.key, func(t Transformer) (transform.Output, error) { return t.Scan(s.Source) })
	with, ok := withJSX[s.Language]
	isClosed := strings.Contains(s.Text, "</") || strings.Contains(s.Text, "/>") // as every element is
	if !ok || !isClosed || !s.scanned.Failed() {
		return
	}
	jsx := s.Source
	jsx.Language = with
	scanned := p.transformed(s.Path, "scan jsx "+s.key, func(t Transformer) (transform.Output, error) { return t.Scan(jsx) })
	switch {
	case scanned.Failed():
	case s.Language == transform.JavaScript:
		s.Source, s.key, s.scanned, s.changes = jsx, "jsx "+s.key, scanned, true
	default:
		first := s.scanned.Problems[0]
		first.Text = fmt.Sprintf("The file has JSX in it, so its name must end with .tsx; rename it to %s.tsx.", strings.TrimSuffix(path.Base(s.Path), path.Ext(s.Path)))
		s.scanned.Problems = []protocol.Diagnostic{first}
	}
}

// withJSX maps a language to the one with JSX.
var withJSX = map[transform.Language]transform.Language{transform.JavaScript: transform.JSX, transform.TypeScript: transform.TSX}

// link says what the imports of the source lead to.
func (p *project) link(s *source) {
	s.targets = make(map[string]transform.Target, len(s.scanned.Specifiers))
	s.files = map[string]string{}
	if s.Prelude = p.prelude(s); s.Prelude != "" {
		s.changes = true
	}
	for _, specifier := range s.scanned.Specifiers {
		target, file := p.resolver.resolve(s.Path, specifier, s.config)
		if file != "" {
			s.imports = append(s.imports, file)
			s.files[specifier] = file
		}
		s.targets[specifier] = target
		s.changes = s.changes || target.URL != specifier && !isSame(s.Path, specifier, target.URL)
	}
}

// isSame reports whether a browser resolves the specifier to the URL by itself.
func isSame(from, specifier, url string) bool {
	return isRelative(specifier) && vfs.URLPath(path.Join(path.Dir(from), specifier)) == url
}

// emit compiles the source.
func (p *project) emit(s *source) {
	if !s.changes || s.scanned.Failed() {
		s.emitted.Problems = s.scanned.Problems
		return
	}
	s.emitted = p.transformed(s.Path, "emit "+s.key+s.Prelude+s.leads(), func(t Transformer) (transform.Output, error) { return t.Emit(s.Source, s.targets) })
}

// missing is an import of a name that a source file does not export. If that file has an error, the
// name has no place.
type missing struct {
	file string
	name transform.Name
}

// check finds the names that the source imports and that other sources do not export. Most sources
// have none, so their names are searched for places only if one seems to be missing.
func (p *project) check(s *source) {
	seems := s.scanned.HasMoreImports
	for _, i := range s.scanned.Imports {
		for _, name := range i.Names {
			m := missing{s.files[i.Specifier], transform.Name{Specifier: i.Specifier, Name: name}}
			switch {
			case !p.lacks(m):
			case p.sources[m.file].scanned.Failed():
				s.miss(m)
			default:
				seems = true
			}
		}
	}
	if !seems {
		return
	}
	found := p.names(s)
	s.unnamed = found.problems
	for _, name := range found.list {
		if m := (missing{s.files[name.Specifier], name}); p.lacks(m) {
			s.miss(m)
		}
	}
}

// lacks reports whether a source file does not export the name.
func (p *project) lacks(m missing) bool {
	to := p.sources[m.file]
	return to != nil && !to.scanned.IsOpen && !to.exports[m.name.Name]
}

func (s *source) miss(m missing) {
	if len(s.missing) < transform.MaxProblems {
		s.missing = append(s.missing, m)
	}
}

// missed returns the diagnostics of the names that are missing.
func (p *project) missed(s *source) []protocol.Diagnostic {
	list := slices.Clone(s.unnamed)
	for _, m := range s.missing {
		if p.sources[m.file].scanned.Failed() {
			continue // nobody knows what the file exports
		}
		list = append(list, protocol.Diagnostic{
			Severity: protocol.SeverityError, File: s.Path, Line: m.name.Line, Column: m.name.Column,
			Text: fmt.Sprintf("%s does not export %q", m.file, m.name.Name), SourceLine: m.name.SourceLine,
		})
	}
	return list
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
