package rule

import (
	"fmt"
	"strings"
)

// A PathError says at which byte a path has no canonical spelling, and why.
type PathError struct {
	Offset int
	Msg    string
}

func (e *PathError) Error() string { return e.Msg }

// CanonicalPath returns the one spelling of a URL's path, so that patterns and requests can be
// compared byte by byte. A character that RFC 3986 (section 3.3, pchar) allows in a segment
// stands for itself. Every other character is percent-encoded in upper-case hexadecimal.
// Servers treat "/a%40b" and "/a@b" as the same path, so a block rule must, too.
//
// Paths that servers read in different ways are rejected: an encoded slash, backslash, or NUL,
// a dot segment, and a "%" that begins no encoding. The error is a [*PathError]. The path is
// absolute or a part of an absolute one, without a query.
func CanonicalPath(path string) (string, error) {
	canonical, err := CanonicalText(path)
	if err != nil {
		return "", err
	}
	for at := 0; at <= len(canonical); {
		end := SegmentEnd(canonical, at)
		if DotSegment(canonical[at:end]) {
			return "", &PathError{at, "a dot segment, which servers resolve in different ways"}
		}
		at = end + 1
	}
	return canonical, nil
}

// DotSegment reports whether a segment is "." or "..", which browsers resolve before they send
// a request.
func DotSegment(s string) bool { return s == "." || s == ".." }

const upperHex = "0123456789ABCDEF"

// CanonicalText is CanonicalPath for any piece of a path, except that it accepts dot segments.
// The error is a *PathError. Its declared type is error, so that nil stays nil.
func CanonicalText(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '%':
			if i+2 >= len(text) || unhex(text[i+1]) < 0 || unhex(text[i+2]) < 0 {
				return "", &PathError{i, "a % without two hexadecimal digits after it"}
			}
			decoded := byte(unhex(text[i+1])<<4 | unhex(text[i+2]))
			switch {
			case decoded == '/' || decoded == '\\' || decoded == 0:
				return "", &PathError{i, fmt.Sprintf("an encoded %s (%s), which servers read in different ways", ambiguous[decoded], text[i:i+3])}
			case isPchar(decoded):
				b.WriteByte(decoded)
			default:
				writeEncoded(&b, decoded)
			}
			i += 2
		case c == '\\':
			return "", &PathError{i, "a backslash, which browsers read as a slash"}
		case c == 0:
			return "", &PathError{i, "a NUL"}
		case c == '/' || isPchar(c):
			b.WriteByte(c)
		default:
			writeEncoded(&b, c)
		}
	}
	return b.String(), nil
}

var ambiguous = map[byte]string{'/': "slash", '\\': "backslash", 0: "NUL"}

func writeEncoded(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}

// isPchar reports whether a byte is a pchar of RFC 3986, other than a percent-encoding.
func isPchar(c byte) bool {
	return IsAlphanumeric(c) || strings.IndexByte("-._~!$&'()*+,;=:@", c) >= 0
}

// IsAlphanumeric reports whether a byte is an ASCII letter or digit.
func IsAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// PercentDecode decodes percent-encodings and keeps everything else unchanged
// (https://url.spec.whatwg.org/#percent-decode).
func PercentDecode(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) && unhex(text[i+1]) >= 0 && unhex(text[i+2]) >= 0 {
			decoded = append(decoded, byte(unhex(text[i+1])<<4|unhex(text[i+2])))
			i += 2
			continue
		}
		decoded = append(decoded, text[i])
	}
	return string(decoded)
}

// SegmentEnd returns the index of the slash after the segment that begins at from, or the
// path's length.
func SegmentEnd(path string, from int) int {
	if n := strings.IndexByte(path[from:], '/'); n >= 0 {
		return from + n
	}
	return len(path)
}
