package cli

import (
	"fmt"

	"github.com/bellglass/bellglass/vfs"
)

// leftOut tells what a folder has and its sandbox has not, each thing once.
type leftOut struct{ told map[string]bool }

// mostLeftOut is how much one look at the folder tells. A folder of other people's
// packages can have thousands of links that lead to hidden ones.
const mostLeftOut = 10

func (l *leftOut) tell(files *vfs.Snapshot, note func(error)) {
	now, told := map[string]bool{}, 0
	for _, left := range files.LeftOut() {
		text := left.Error()
		now[text] = true
		if l.told[text] {
			continue
		}
		if told++; told <= mostLeftOut {
			note(left)
		}
	}
	if told > mostLeftOut {
		note(fmt.Errorf("%d other entries of the folder are left out", told-mostLeftOut))
	}
	l.told = now
}
