package sandbox

import (
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// listedBytes limits the paths that one event lists, because the log keeps events by their
// bytes.
const listedBytes = 16 << 10

// FileChanges returns a difference for a log or a program, or nil if nothing differs. It cuts long
// lists.
func FileChanges(d vfs.Diff) *protocol.FileChanges {
	if d.Empty() {
		return nil
	}
	return listed(d)
}

func listed(d vfs.Diff) *protocol.FileChanges {
	left := listedBytes
	paths := func(all []string) protocol.PathList {
		listed := protocol.PathList{Count: len(all), List: []string{}}
		for _, path := range all {
			if left -= len(path); left < 0 || len(listed.List) == protocol.ListedPaths {
				break
			}
			listed.List = append(listed.List, path)
		}
		return listed
	}
	return &protocol.FileChanges{Added: paths(d.Added), Changed: paths(d.Changed), Removed: paths(d.Removed)}
}
