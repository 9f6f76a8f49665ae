package compile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/bellglass/bellglass/protocol"
)

// pointing adds a source map to a script that leads from all of its lines to one place. So the
// stack of an error that the script throws names the place of the mistake.
func pointing(script string, d protocol.Diagnostic, source string) []byte {
	// Each segment has four numbers, relative to the segment before: generated column, source,
	// line, and column.
	mappings := vlq(0) + vlq(0) + vlq(d.Line-1) + vlq(d.Column-1) + strings.Repeat(";AAAA", strings.Count(script, "\n"))
	text, err := json.Marshal(map[string]any{
		"version": 3, "sources": []string{path.Base(d.File)}, "sourcesContent": []string{source}, "names": []string{}, "mappings": mappings,
	})
	if err != nil {
		return []byte(script) // every string can be written
	}
	return fmt.Appendf(nil, "%s%s%s\n", script, mapComment, base64.StdEncoding.EncodeToString(text))
}

// vlq writes a number as a source map does: in base64 digits of 5 bits, the lowest first, with the
// sign in the lowest bit.
func vlq(n int) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	rest := uint(max(n, 0)) << 1 // no number here is negative
	var b strings.Builder
	for {
		digit := rest & 31
		if rest >>= 5; rest > 0 {
			digit |= 32
		}
		b.WriteByte(digits[digit])
		if rest == 0 {
			return b.String()
		}
	}
}
