package vfs

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reserved is the folder at the top of every sandbox that belongs to Bellglass. Its
// worker script lives there; virtual files cannot.
const Reserved = "/.bellglass"

// Limits says how much one snapshot may hold. The zero value allows nothing.
type Limits struct {
	FileSize   int64 // bytes of one file
	TotalSize  int64 // bytes of all files together; equal contents count each time
	Files      int   // number of files
	PathLength int   // bytes of one path, its leading "/" included
}

// DefaultLimits returns 64 MiB a file, 512 MiB in all, 20,000 files and 1,024
// bytes a path.
func DefaultLimits() Limits {
	return Limits{FileSize: 64 << 20, TotalSize: 512 << 20, Files: 20_000, PathLength: 1024}
}

// CheckPath returns nil if p may be the path of a virtual file. Otherwise it returns a
// [*PathError], or a [*LimitError] if p has more than l.PathLength bytes.
//
// A path is never repaired. A legal path:
//
//   - begins with "/", does not end with it, and has no empty, "." or ".." segment, so
//     that a file has one path
//   - is valid UTF-8 without control characters or backslashes, so that it looks the
//     same in logs, URLs, and pages
//   - is not at or below [Reserved]
//
// For a legal p, fs.ValidPath(p[1:]) holds.
func CheckPath(p string, l Limits) error {
	if len(p) > l.PathLength {
		return &LimitError{What: LimitPathLength, Path: p, Got: int64(len(p)), Max: int64(l.PathLength)}
	}
	refuse := func(reason, hint string) error { return &PathError{Path: p, Reason: reason, Hint: hint} }
	switch {
	case p == "":
		return refuse("it is empty", `name a file, as in "/index.html"`)
	case !utf8.ValidString(p):
		return refuse("it is not valid UTF-8", "rename the file in UTF-8")
	case strings.ContainsFunc(p, unicode.IsControl):
		return refuse("it contains a control character", "leave out NUL, tabs, line breaks and the like")
	case strings.Contains(p, `\`):
		return refuse("it contains a backslash", `separate folders with "/"`)
	case p[0] != '/':
		return refuse(`it does not begin with "/"`, `put "/" in front: paths start at the top of the sandbox`)
	case p == "/":
		return refuse("it is the top folder, not a file", `name a file, as in "/index.html"`)
	case p[len(p)-1] == '/':
		return refuse(`it ends with "/"`, "name a file: folders exist through the files in them")
	}
	for segment := range strings.SplitSeq(p[1:], "/") {
		switch segment {
		case "":
			return refuse(`it has an empty segment ("//")`, `write a single "/"`)
		case ".", "..":
			return refuse(`it has a "`+segment+`" segment`, "write the path it leads to")
		}
	}
	if p == Reserved || strings.HasPrefix(p, Reserved+"/") {
		return refuse("the folder "+Reserved+" belongs to Bellglass itself", "use another folder")
	}
	return nil
}

// URLPath returns a file's path as it appears in a URL, where "#", "?" and "%" have a
// meaning of their own and are escaped.
func URLPath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
