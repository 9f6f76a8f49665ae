package static

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithPrelude inserts the prelude into the first line of a dedicated or shared worker's
// script, so that line numbers stay the same. A script that starts with "use strict"
// must still start with it, or it would run in sloppy mode. A hashbang must stay first
// as well.
func WithPrelude(script []byte, prelude string) []byte {
	start := strings.TrimPrefix(string(script[:min(len(script), window)]), "\ufeff")
	if strings.HasPrefix(start, "#!") {
		return script
	}
	if isStrict(start) {
		prelude = `"use strict";` + prelude
	}
	return append([]byte(prelude), script...)
}

// isStrict looks for "use strict" after white space, comments, and other directives.
func isStrict(text string) bool {
	for {
		rest := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != '\u0085' || r == ';' || r == '\ufeff' })
		skip := 0
		switch {
		case strings.HasPrefix(rest, `"use strict"`), strings.HasPrefix(rest, `'use strict'`):
			return true
		case strings.HasPrefix(rest, "//"):
			skip = strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune("\n\r\u2028\u2029", r) })
		case strings.HasPrefix(rest, "/*"):
			if skip = strings.Index(rest[2:], "*/"); skip >= 0 {
				skip += len("/**/")
			}
		default:
			skip = directive(rest)
		}
		if skip <= 0 {
			return false
		}
		text = rest[skip:]
	}
}

// directive returns the length of the string literal at the start of text. It returns 0
// if there is none, or if it contains an escape.
func directive(text string) int {
	quote, size := utf8.DecodeRuneInString(text)
	if quote != '"' && quote != '\'' {
		return 0
	}
	end := strings.IndexFunc(text[size:], func(r rune) bool { return r == quote || r == '\\' || r == '\n' })
	if end < 0 || rune(text[size+end]) != quote {
		return 0
	}
	return end + len(`""`)
}
