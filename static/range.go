package static

import (
	"fmt"
	"strconv"
	"strings"
)

// A Span is the range of bytes that a request asks for, both ends included. The zero
// value is the whole file.
type Span struct {
	IsPart, IsOutside bool
	First, Last       int64
}

// ParseRange parses a Range header for a file of size bytes (RFC 9110, section 14). It
// ignores a header that is not a single range of bytes, as the RFC allows.
func ParseRange(header string, size int64) Span {
	const unit = "bytes="
	if len(header) < len(unit) || !strings.EqualFold(header[:len(unit)], unit) {
		return Span{}
	}
	from, to, found := strings.Cut(strings.TrimSpace(header[len(unit):]), "-")
	first, hasFirst, ok1 := digits(strings.TrimSpace(from))
	last, hasLast, ok2 := digits(strings.TrimSpace(to))
	switch {
	case !found || !ok1 || !ok2 || !hasFirst && !hasLast:
		return Span{}
	case !hasFirst && (last == 0 || size == 0):
		return Span{IsOutside: true}
	case !hasFirst:
		return Span{IsPart: true, First: max(0, size-last), Last: size - 1}
	case hasLast && last < first:
		return Span{}
	case first >= size:
		return Span{IsOutside: true}
	case !hasLast:
		last = size - 1
	}
	return Span{IsPart: true, First: first, Last: min(last, size-1)}
}

// String returns the span as the value of a Range header, or "" for the whole file.
func (s Span) String() string {
	if !s.IsPart {
		return ""
	}
	return fmt.Sprintf("bytes=%d-%d", s.First, s.Last)
}

// digits parses a number of at most 15 digits. there is false if the text is empty.
func digits(text string) (n int64, there, ok bool) {
	if text == "" {
		return 0, false, true
	}
	if len(text) > 15 || strings.Trim(text, "0123456789") != "" {
		return 0, false, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, true, err == nil
}
