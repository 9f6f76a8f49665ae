package compile

import (
	"bytes"
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

// hints say what a script may need. A cheap search of its text finds them.
type hints struct {
	specifiers []string
	isJSX      bool
	isHot      bool // it may use import.meta.hot
}

func (p *project) hintsOf(file vfs.Entry) hints {
	key := "hints " + file.Hash.String()
	h, ok := get[hints](p.compiler.cache, key)
	if ok {
		return h
	}
	blob, _ := p.files.Blob(file.Hash)
	text, err := blob.Bytes()
	if err != nil {
		return hints{} // it has just changed on disk; the next revision has it
	}
	h.isJSX = markup.Match(text)
	h.isHot = bytes.Contains(text, []byte("import.meta.hot"))
	for _, found := range imports.FindAllSubmatch(text, -1) {
		h.specifiers = append(h.specifiers, string(found[1])+string(found[2]))
	}
	put(p.compiler.cache, key, h, 32*len(h.specifiers))
	return h
}

// needs reports whether a JavaScript file may need to be compiled.
func (p *project) needs(file vfs.Entry, c config) bool {
	h := p.hintsOf(file)
	if h.isJSX && len(h.specifiers) > 0 {
		return true
	}
	for _, specifier := range h.specifiers {
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
