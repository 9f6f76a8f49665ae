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

// This file prepares text that others wrote for a terminal. Controls, C1 ones
// included, move its cursor or color it. Bidirectional controls reorder a line, and a
// line break begins one that looks like ours.

// continued begins each line of a message but the first.
const continued = "  | "

// message writes a text as one message: what a terminal would act on is an escape, and
// the lines after the first are marked.
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

// oneLine is message for a text that has one line and no more.
func oneLine(text string) string {
	return message(strings.ReplaceAll(text, "\n", `\n`))
}

// printable replaces what a terminal would act on by one character each, which keeps
// columns aligned. The line breaks must be ours.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// safeJSON returns JSON that means the same, with what a terminal would act on written
// as escapes. Such characters stand in strings alone.
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

// acts reports whether a terminal might do anything with the character but show it. The
// white space of JSON is ours.
func acts(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && !unicode.IsPrint(r) }

// escaped writes a character as JSON does.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// A jsonWriter makes each write safe, which must be whole JSON documents.
type jsonWriter struct{ w io.Writer }

func (w jsonWriter) Write(b []byte) (int, error) {
	if _, err := w.w.Write(safeJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// printJSON writes one document. Null never stands for an empty list, so that a
// script can walk each.
func printJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(jsonWriter{w})
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
