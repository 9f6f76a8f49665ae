package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/bellglass/bellglass/protocol"
)

// printDiagnostics prints what the compiler has found, each with its line and a mark below the
// place.
func printDiagnostics(w io.Writer, list []protocol.Diagnostic) {
	for _, d := range list {
		fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", printable(strings.TrimPrefix(d.File, "/")), d.Line, d.Column, d.Severity, oneLine(d.Text))
		if line := strings.ReplaceAll(d.SourceLine, "\t", " "); line != "" {
			fmt.Fprintf(w, "    %s\n    %s^\n", printable(line), blank(line, d.Column-1))
		}
	}
}

// blank returns as many blanks as the beginning of a text has characters, up to a number of UTF-16
// code units.
func blank(text string, units int) string {
	all := utf16.Encode([]rune(text))
	return strings.Repeat(" ", len(utf16.Decode(all[:max(0, min(units, len(all)))])))
}
