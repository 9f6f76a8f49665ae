package cli

import (
	"log/slog"

	"github.com/bellglass/bellglass/vfs"
)

// leftOut warns of what a folder has and its sandbox has not, of each thing once.
type leftOut struct {
	log  *slog.Logger
	told map[string]bool
}

// mostLeftOut is how many warnings one look at the folder gives. A folder of other
// people's packages can have thousands of links that lead to hidden ones.
const mostLeftOut = 10

func (l *leftOut) warn(files *vfs.Snapshot) {
	fresh := map[string]bool{}
	lines, more := 0, 0
	for _, left := range files.LeftOut() {
		text := left.Error()
		fresh[text] = true
		switch {
		case l.told[text]:
		case lines == mostLeftOut:
			more++
		default:
			lines++
			l.log.Warn("left out of the sandbox", "path", left.Path, "reason", left.Reason, "advice", left.Hint)
		}
	}
	if more > 0 {
		l.log.Warn("left out of the sandbox, too", "entries", more)
	}
	l.told = fresh
}
