package vfs

import (
	"fmt"
	"strings"
)

// PathError reports that a path was rejected.
type PathError struct {
	Path   string // as given, "/a/b.txt"
	Reason string // what is wrong, "it contains a backslash"
	Hint   string // what to do about it, "separate folders with \"/\""
	Err    error  // the underlying cause, from the file system, or nil
}

// Error returns one line with the path, the reason, and the hint. The path is quoted,
// so that control characters in it are visible.
func (e *PathError) Error() string {
	return fmt.Sprintf("path %s is refused: %s; %s", quote(e.Path), e.Reason, e.Hint)
}

// Unwrap returns the cause, so that errors.Is(err, fs.ErrNotExist) works.
func (e *PathError) Unwrap() error { return e.Err }

// The limits that [LimitError.What] can name.
const (
	LimitFileSize   = "file size"
	LimitTotalSize  = "total size"
	LimitFiles      = "file count"
	LimitFolders    = "folder count"
	LimitPathLength = "path length"
	LimitEntries    = "entry count" // of an archive, including its folders
	LimitArchive    = "archive size"
	LimitStore      = "store size" // of all snapshots together; see [Store.Hold]
)

// LimitError reports that a tree exceeds its [Limits], or that its [Store] has no room
// for it.
type LimitError struct {
	What string // one of the Limit constants
	Path string // the file that exceeded the limit
	Got  int64  // bytes, files or folders: the first number found above Max; the total may be larger
	Max  int64  // the limit, in the same unit

	Folder *Survey // what the folder contains; nil unless it is one on disk
}

// limitWords completes the message for each limit with the unit, the reason, and what
// to do.
var limitWords = map[string][3]string{
	LimitFileSize:   {"bytes", "each file is read whole", "make the file smaller or raise the limit for one file"},
	LimitTotalSize:  {"bytes", "all files are read, and most are held in memory", "leave out what the page does not load or raise the limit for all files together"},
	LimitFiles:      {"files", "each one is listed to the browser", "leave out what the page does not load or raise the limit on files"},
	LimitFolders:    {"folders", "each one is read on every change", "choose a smaller folder, and look for links that multiply it"},
	LimitEntries:    {"entries", "each one is read", "leave out what the page does not load, and folders without files, or raise the limit on files"},
	LimitArchive:    {"bytes", "no archive of files within the limits is larger", "leave out what the page does not load or raise the limits"},
	LimitStore:      {"bytes", "the files of all sandboxes are held in memory", "remove sandboxes or files that are not needed any more or raise the limit of the store"},
	LimitPathLength: {"bytes", "a path is part of a URL", "use shorter names or raise the limit on paths"},
}

// Error returns one line that says which limit was exceeded, where, by how much, why it
// exists, and what to do.
func (e *LimitError) Error() string {
	words := limitWords[e.What]
	return fmt.Sprintf("%s over the limit at %s: %d %s, at most %d are allowed because %s; %s",
		e.What, quote(e.Path), e.Got, words[0], e.Max, words[1], words[2])
}

// quoteMax is how many bytes of a path an error message shows. A rejected path can be
// megabytes long.
const quoteMax = 200

func quote(path string) string {
	if len(path) <= quoteMax {
		return fmt.Sprintf("%q", path)
	}
	return fmt.Sprintf("%q… (%d bytes)", strings.ToValidUTF8(path[:quoteMax], ""), len(path))
}
