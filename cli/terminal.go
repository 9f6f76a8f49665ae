package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// This file makes untrusted text safe for a terminal. Control characters, including C1,
// move the cursor or change colors. Bidirectional controls reorder a line. A line break
// starts a line that looks like ours.

// continued begins each line of a message except the first.
const continued = "  | "

// message formats a text as one message. It escapes what a terminal would act on, and
// marks the lines after the first.
func message(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimRight(text, "\n") {
		switch {
		case r == '\n':
			b.WriteString("\n" + continued)
		case r == '\t' || unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// oneLine is message for text that must stay on one line.
func oneLine(text string) string {
	return message(strings.ReplaceAll(text, "\n", `\n`))
}

// printable replaces each character that a terminal would act on by one other
// character, which keeps columns aligned. Line breaks are kept, so they must be ours.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// safeJSON returns equivalent JSON in which characters that a terminal would act on are
// escaped. They occur only in strings.
func safeJSON(document []byte) []byte {
	if !bytes.ContainsFunc(document, acts) {
		return document
	}
	out := make([]byte, 0, len(document)+16)
	for _, r := range string(document) {
		if acts(r) {
			out = append(out, escaped(r)...)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// acts reports whether a terminal might do anything with the character except show it.
// White space in JSON is ours.
func acts(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && !unicode.IsPrint(r) }

// escaped returns the character as a JSON escape.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// A jsonWriter makes each write safe. Each must be whole JSON documents.
type jsonWriter struct{ w io.Writer }

func (w jsonWriter) Write(b []byte) (int, error) {
	if _, err := w.w.Write(safeJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// printJSON prints one document. An empty list is never null, so that a script can
// iterate over each.
func printJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(jsonWriter{w})
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
