package program

import (
	"encoding/binary"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// literalPath returns the text under which a request's path can be looked up: the whole path,
// its literal directory with the final slash, or "". glob is false if the text expresses the
// whole path.
func literalPath(path []rule.Segment) (text string, glob bool) {
	var b strings.Builder
	for i, segment := range path {
		if segment.Any || segment.Star {
			rest := path[i:]
			glob = len(rest) > 1 || !segment.Any
			if i == 0 {
				return "", glob
			}
			return b.String() + "/", glob
		}
		b.WriteString("/" + segment.Prefix)
	}
	return b.String(), false
}

func appendText(p []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint16(p, uint16(len(s))), s...)
}

func appendPart(p []byte, part rule.Part) []byte {
	if !part.Star {
		return appendText(append(p, partLiteral), part.Prefix)
	}
	return appendText(appendText(append(p, partStar), part.Prefix), part.Suffix)
}

func appendPath(p []byte, path []rule.Segment) []byte {
	if path == nil {
		return append(p, pathAny)
	}
	text, glob := literalPath(path)
	switch last := path[len(path)-1]; {
	case !glob && !last.Any:
		return appendText(append(p, pathExact), text)
	case !glob && text != "":
		return appendText(append(p, pathPrefix), text)
	case !glob: // "/**"
		return append(p, pathAny)
	}
	tail, tailAt := len(path), 0
	var parts []byte
	for i, segment := range path {
		if segment.Any {
			parts = append(parts, segmentAny)
			tail, tailAt = len(path)-i-1, len(parts)
		} else {
			parts = appendPart(parts, segment.Part)
		}
	}
	p = append(p, pathSegments)
	for _, n := range []int{len(path), tail, tailAt} {
		p = binary.LittleEndian.AppendUint16(p, uint16(n))
	}
	return append(p, parts...)
}
