package compile

import (
	"maps"
	"slices"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
)

// additions returns what is served besides the files.
func (p *project) additions() map[string][]byte {
	added := map[string][]byte{}
	maps.Copy(added, p.packageModules())
	for _, s := range p.ordered {
		switch d, failed := p.failure(s); {
		case failed && s.Language != transform.JavaScript:
			added[ScriptPath(s.Path)] = throwing(d, s.Text, p.wanted(s.Path))
		case !failed && s.changes:
			added[ScriptPath(s.Path)] = s.emitted.Code
		}
		for _, file := range s.imports {
			if !isScript(file) && added[ScriptPath(file)] == nil {
				p.addAsset(added, file)
			}
		}
	}
	return added
}

// failure returns the first error of a source.
func (p *project) failure(s *source) (protocol.Diagnostic, bool) {
	for _, d := range s.emitted.Problems {
		if d.Severity == protocol.SeverityError {
			return d, true
		}
	}
	if list := p.missed(s); len(list) > 0 {
		return list[0], true
	}
	return protocol.Diagnostic{}, false
}

// wanted returns the names that other sources import from a file.
func (p *project) wanted(file string) []string {
	names := map[string]bool{}
	if s := p.sources[file]; s != nil {
		for _, name := range s.scanned.Exports {
			names[name] = true
		}
	}
	for _, s := range p.sources {
		for _, m := range s.missing {
			if m.file == file {
				names[m.name.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (p *project) addAsset(added map[string][]byte, file string) {
	if name, query, is := cutQuery(file); is {
		p.addQueried(added, name, query)
		return
	}
	entry, ok := p.files.Lookup(file)
	if !ok { // a style sheet of a package
		added[ScriptPath(file)] = linkedStyle(file)
		return
	}
	blob, _ := p.files.Blob(entry.Hash)
	key := entry.Hash.String() + " " + file
	if isStyleModule(file) {
		text, err := blob.Bytes()
		if err != nil {
			return
		}
		styled := p.styled(file, "style "+key, string(text))
		p.problems = append(p.problems, styled.Problems...)
		added[ScriptPath(file)] = slices.Concat(adoptedStyle(styled.CSS), styled.Code)
		p.throwOn(added, file, string(text), styled.Problems)
		return
	}
	out := p.transformed(file, "asset "+key, func(t Transformer) (transform.Output, error) { return assetOf(t, file, blob) })
	p.problems = append(p.problems, out.Problems...)
	added[ScriptPath(file)] = out.Code
	if len(out.Problems) > 0 {
		text, err := blob.Bytes()
		if err == nil {
			p.throwOn(added, file, string(text), out.Problems)
		}
	}
}

// throwOn replaces the module of a file with an error.
func (p *project) throwOn(added map[string][]byte, file, source string, problems []protocol.Diagnostic) {
	for _, d := range problems {
		if d.Severity == protocol.SeverityError {
			added[ScriptPath(file)] = throwing(d, source, append(p.wanted(file), "default"))
			return
		}
	}
}

// diagnostics returns what is wrong with all files.
func (p *project) diagnostics() []protocol.Diagnostic {
	list := slices.Concat(p.problems, p.configs.problems)
	for _, s := range p.sources {
		if p.isForTools(s) {
			continue
		}
		for _, d := range s.emitted.Problems {
			if s.Language == transform.JavaScript {
				continue // the browser reports what is wrong with a file that it gets as it is
			}
			list = append(list, d)
		}
		list = append(list, p.missed(s)...)
	}
	list = sorted(list)
	return list[:min(len(list), MaxDiagnostics)]
}
