package sandbox

import (
	"strings"
	"unicode/utf8"
)

// Plain reports whether a text is UTF-8 without control characters and has at most that many
// bytes.
func Plain(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 })
}
