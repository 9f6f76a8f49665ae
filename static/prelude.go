package static

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithPrelude puts the prelude on the first line of the script of a dedicated or shared
// worker, so that line numbers stay. A script that begins with "use strict" must begin
// with it, or it would mean something else. Nothing may stand before a hashbang.
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

// isStrict looks for the directive behind white space, comments and other directives.
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

// directive returns the length of the string literal at the beginning of the text, or 0 if
// there is no literal, or one with an escape.
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
