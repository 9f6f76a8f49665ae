package compile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf16"

	"github.com/bellglass/bellglass/protocol"
)

// at makes an error at a byte offset of a file.
func at(file string, text []byte, offset int, message string) protocol.Diagnostic {
	offset = max(0, min(offset, len(text)))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	return protocol.Diagnostic{
		Severity: protocol.SeverityError, File: file, Text: message, SourceLine: string(bytes.TrimSuffix(line, []byte("\r"))),
		Line:   1 + bytes.Count(text[:offset], []byte("\n")),
		Column: 1 + len(utf16.Encode([]rune(string(text[start:offset])))),
	}
}

// lineOffset returns the offset that an error of hujson names by line and column, or 0.
func lineOffset(err error, text []byte) int {
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n != 2 {
		return 0
	}
	offset := 0
	for ; line > 1; line-- {
		end := bytes.IndexByte(text[offset:], '\n')
		if end < 0 {
			return offset
		}
		offset += end + 1
	}
	return offset + column - 1
}

// sorted sorts diagnostics by file and place.
func sorted(list []protocol.Diagnostic) []protocol.Diagnostic {
	slices.SortStableFunc(list, func(a, b protocol.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(list)
}
