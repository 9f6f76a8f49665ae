package transform

import (
	"regexp"
	"strings"
)

// An Import is what a source imports from one module.
type Import struct {
	Specifier string
	Names     []string
}

// The imports in code that esbuild has printed: each statement begins a line, and the names that a
// program does not use are there, too. Only the names in braces and a default import count. A line of
// a template literal can look like a statement.
var (
	importing = regexp.MustCompile(`(?m)^import [^(.]`)
	bare      = regexp.MustCompile(`^import ` + literal + `;`)
	statement = regexp.MustCompile(`^import (?:([^\s{}*"',]+),? )?(?:\* as \S+ )?(?:\{((?:[^"'{}]|` + literal + `)*)\} )?from (` + literal + `)`)
	imported  = regexp.MustCompile(`(?:^|,)\s*(` + literal + `|[^\s,"']+)`)
)

const literal = `(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`

// readImports reads the imports of printed code into the output, at most [MaxNames] names.
func (o *Output) readImports(code string) {
	count := 0
	for _, at := range importing.FindAllStringIndex(code, -1) {
		rest := code[at[0]:]
		if bare.MatchString(rest) {
			continue
		}
		found := statement.FindStringSubmatch(rest)
		if found == nil || strings.Contains(found[2]+found[3], `\`) { // Names reads escapes
			o.HasMoreImports = true
			continue
		}
		var names []string
		if found[1] != "" {
			names = append(names, "default")
		}
		for _, name := range imported.FindAllStringSubmatch(found[2], -1) {
			names = append(names, unquoted(name[1]))
		}
		if count += len(names); count > MaxNames {
			o.HasMoreImports = true
			return
		}
		if len(names) > 0 {
			o.Imports = append(o.Imports, Import{unquoted(found[3]), names})
		}
	}
}

// unquoted returns the text of a literal without escapes, or a name as it is.
func unquoted(text string) string {
	if strings.ContainsRune(`"'`, rune(text[0])) {
		return text[1 : len(text)-1]
	}
	return text
}
