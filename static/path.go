package static

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodePath decodes the percent-encoding of a URL's path. It rejects, and never
// repairs, a path with an encoded slash (a second URL for the same file), with "..", or
// with a start that can be read as another host's address.
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
