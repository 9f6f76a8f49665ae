package sandbox

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// Describe says in one line which files a change added, changed, and removed. It shortens long
// lists, because the line is for people.
func Describe(d vfs.Diff) string {
	var parts []string
	for _, group := range []struct {
		verb  string
		paths []string
	}{{"added", d.Added}, {"changed", d.Changed}, {"removed", d.Removed}} {
		if len(group.paths) > 0 {
			parts = append(parts, group.verb+" "+list(group.paths))
		}
	}
	if len(parts) == 0 {
		return "no file differs"
	}
	return strings.Join(parts, "; ")
}

// describeFaults says how many errors the sources have, and what the first one is. It returns ""
// if they have no error.
func describeFaults(list []protocol.Diagnostic) string {
	var first *protocol.Diagnostic
	count := 0
	for i, d := range list {
		if d.Severity == protocol.SeverityError {
			if count++; first == nil {
				first = &list[i]
			}
		}
	}
	switch count {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; an error in %s:%d:%d: %s", first.File, first.Line, first.Column, first.Text)
	default:
		return fmt.Sprintf("; %d errors, the first in %s:%d:%d: %s", count, first.File, first.Line, first.Column, first.Text)
	}
}

// describeNew describes a new sandbox in one line.
func describeNew(spec Spec) string {
	files := fmt.Sprintf("%d files", spec.Files.Len())
	if spec.Files.Len() == 1 {
		files = "1 file"
	}
	return files + ", policy " + policyName(spec.Policy)
}

func list(paths []string) string {
	const shown = 5
	if len(paths) <= shown {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:shown], ", "), len(paths)-shown)
}
