package compile

import "regexp"

// toolFile matches files that a project has for its tools, not for its pages: the configuration of
// a bundler, and tests. They import packages that no page needs.
var toolFile = regexp.MustCompile(`^/[^/]+\.config\.[cm]?[jt]sx?$|\.(?:test|spec)\.[cm]?[jt]sx?$|/__tests__/`)

// isForTools reports whether nobody needs to hear of mistakes in a source: it is for tools, and no
// other source imports it.
func (p *project) isForTools(s *source) bool {
	if !toolFile.MatchString(s.Path) {
		return false
	}
	for _, other := range p.sources {
		for _, file := range other.imports {
			if file == s.Path && !toolFile.MatchString(other.Path) {
				return false
			}
		}
	}
	return true
}
