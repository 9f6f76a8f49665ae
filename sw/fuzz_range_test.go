package sw_test

import (
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"
)

// spaced matches what may be a range, with the white space that a browser's trim removes.
var spaced = regexp.MustCompile(`\A(?i:bytes)=[\s\p{Z}\x0b\x{feff}]*([0-9]{0,15})[\s\p{Z}\x0b\x{feff}]*-[\s\p{Z}\x0b\x{feff}]*([0-9]{0,15})[\s\p{Z}\x0b\x{feff}]*\z`)

// The worker reads a single range as RFC 9110, section 14.1.2, says, and ignores everything
// else.
func FuzzParseRange(f *testing.F) {
	for _, seed := range []string{
		"bytes=0-4", "bytes=0-", "bytes=-1", "bytes=-0", "bytes=9-", "bytes=10-", "bytes=5-4", "bytes=0-1,3-4", "bytes=-", "bytes=", "BYTES=1-2", "bytes= 1 - 2 ",
		"bytes=999999999999999-", "bytes=9999999999999999-", "bytes=0x1-2", "bytes=1e1-", "bytes=+1-2", "bytes=--1", "bytes=\u0661-\u0662", "items=0-1", "", " bytes=0-1", "bytes=\u00a00-1", "bytes=0-\ufeff",
	} {
		f.Add(seed, uint32(10))
		f.Add(seed, uint32(0))
	}
	ask := startNode(f, `import { parseRange } from '../sw/src/range'
serve(({ header, size }) => parseRange(header, size))
`)
	f.Fuzz(func(t *testing.T, header string, size uint32) {
		if !utf8.ValidString(header) {
			return // a page cannot send such a header
		}
		var got struct {
			Kind        string
			First, Last int64
		}
		ask(t, map[string]any{"header": header, "size": size}, &got)
		kind, first, last := expectedRange(header, int64(size))
		if got.Kind != kind || got.First != first || got.Last != last {
			t.Errorf("%q of %d bytes: %+v, want %s %d-%d", header, size, got, kind, first, last)
		}
	})
}

func expectedRange(header string, size int64) (kind string, first, last int64) {
	match := spaced.FindStringSubmatch(header)
	if match == nil || match[1] == "" && match[2] == "" {
		return "whole", 0, 0
	}
	from, errFrom := strconv.ParseInt(match[1], 10, 64)
	to, errTo := strconv.ParseInt(match[2], 10, 64)
	switch {
	case errFrom != nil: // the last to bytes
		if to == 0 || size == 0 {
			return "unsatisfiable", 0, 0
		}
		return "part", max(0, size-to), size - 1
	case errTo == nil && to < from:
		return "whole", 0, 0
	case from >= size:
		return "unsatisfiable", 0, 0
	case errTo != nil:
		to = size - 1
	}
	return "part", from, min(to, size-1)
}
