package compile

import (
	"regexp"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/vfs"
)

// A folder can have thousands of JavaScript files that a browser runs as they are. Only those are
// sources that may need more: with an import that the browser does not resolve, with an import of a
// file that is no script, or with JSX.

// imports finds what looks like an import. It also matches in comments and texts, which costs only
// time. It misses an import with a comment in it, and leaves such a file as it is.
var imports = regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*(?:"([^"\n]+)"|'([^'\n]+)')`)

// markup finds what looks like the end of an element.
var markup = regexp.MustCompile(`</[A-Za-z>]|/>`)

// script is what a JavaScript file may need.
type script struct {
	specifiers []string
	isJSX      bool
}

// needs reports whether a JavaScript file may need to be compiled.
func (p *project) needs(file vfs.Entry, c config) bool {
	key := "script " + file.Hash.String()
	s, ok := get[script](p.compiler.cache, key)
	if !ok {
		blob, _ := p.files.Blob(file.Hash)
		text, err := blob.Bytes()
		if err != nil {
			return false
		}
		s.isJSX = markup.Match(text)
		for _, found := range imports.FindAllSubmatch(text, -1) {
			s.specifiers = append(s.specifiers, string(found[1])+string(found[2]))
		}
		put(p.compiler.cache, key, s, 32*len(s.specifiers))
	}
	if s.isJSX && len(s.specifiers) > 0 {
		return true
	}
	for _, specifier := range s.specifiers {
		if p.resolver.packages != nil && p.resolver.isBare(specifier, c) {
			return true
		}
		target, path := p.resolver.resolve(file.Path, specifier, c)
		if target.Problem != "" || hasScheme(specifier) {
			continue // the browser says so itself
		}
		if language, ok := languageOf(path); !ok || language != transform.JavaScript || !isSame(file.Path, specifier, target.URL) {
			return true
		}
	}
	return false
}
