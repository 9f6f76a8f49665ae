package cli

import (
	"fmt"

	"github.com/bellglass/bellglass/vfs"
)

// leftOut reports what a folder has and its sandbox lacks, each entry once.
type leftOut struct{ told map[string]bool }

// mostLeftOut limits how many entries one scan reports. A folder of third-party
// packages can have thousands of links to hidden files.
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
