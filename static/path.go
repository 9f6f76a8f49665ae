package static

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodePath undoes the percent-encoding of a URL's path. Two URLs of one file (an encoded
// slash), a path that climbs, and one that can be read as another host's address are
// rejected, not mended.
func DecodePath(pathname string) (path string, ok bool) {
	lower := strings.ToLower(pathname)
	if strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") || strings.Contains(lower, `\`) {
		return "", false
	}
	path, err := url.PathUnescape(pathname)
	if err != nil || !utf8.ValidString(path) || strings.Contains(path, "//") {
		return "", false
	}
	if slices.ContainsFunc(strings.Split(path, "/"), func(segment string) bool { return segment == "." || segment == ".." }) {
		return "", false
	}
	return path, !strings.ContainsFunc(path, func(r rune) bool { return r < 0x20 || r == 0x7f })
}
