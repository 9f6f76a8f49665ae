package sandbox

import (
	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/vfs"
)

// The worker keeps small contents in memory, and gets them together with the state. One round
// trip costs as much as some hundred KiB, so it is better to fetch larger contents when they
// are needed. The total is bounded, because it must not delay the first answer after a wake.
// Preloaded contents are in the server's memory anyway, as all small files are.
const (
	PreloadFileLimit = vfs.SmallFile // maximum of one content, in bytes
	PreloadLimit     = 8 << 20       // maximum of all contents, in bytes
)

// Preload lists the contents of a version that its workers keep in memory. It never changes.
//
// A worker that has a revision has exactly the contents that were preloaded in that revision. So
// it lacks the contents that have been preloaded only since a later revision. The server needs to
// remember neither the preloaded contents of each revision nor the contents of each worker.
type Preload struct {
	contents []preloaded // in the order of the files, each content once
	since    map[vfs.Hash]int64
}

type preloaded struct {
	index int // of the first file with this content, among all files of the version
	hash  vfs.Hash
	size  int64 // bytes
	since int64 // every revision from this one on has preloaded it
}

// next returns the preloaded contents of the next revision, which has these files. The zero value
// precedes the first revision.
func (p Preload) next(files *vfs.Snapshot, revision int64) Preload {
	next := Preload{since: make(map[vfs.Hash]int64, files.Len())}
	index, total := 0, int64(0)
	for entry := range files.Entries() {
		// Scripts have what sources are compiled to. A source itself is hardly ever read.
		isSource := compile.IsSource(entry.Path)
		if _, twice := next.since[entry.Hash]; !twice && !isSource && entry.Size <= PreloadFileLimit && total+entry.Size <= PreloadLimit {
			since, stays := p.since[entry.Hash]
			if !stays {
				since = revision
			}
			next.since[entry.Hash] = since
			next.contents = append(next.contents, preloaded{index, entry.Hash, entry.Size, since})
			total += entry.Size
		}
		index++
	}
	return next
}

// Lacking returns the total bytes of the contents that a worker with the revision have lacks.
// 0 stands for a worker without any.
func (p Preload) Lacking(have int64) int64 {
	bytes := int64(0)
	for _, content := range p.contents {
		if content.since > have {
			bytes += content.size
		}
	}
	return bytes
}

// Contents returns the contents that a worker with the revision have lacks. kept and sent are
// the indexes, among all files, of the preloaded contents that the worker has and lacks.
func (p Preload) Contents(files *vfs.Snapshot, have int64) (kept, sent []int, contents [][]byte, err error) {
	for _, content := range p.contents {
		if content.since <= have {
			kept = append(kept, content.index)
			continue
		}
		blob, found := files.Blob(content.hash)
		if !found {
			continue // the version's own files have it; otherwise the worker would fetch it singly
		}
		data, err := blob.Bytes()
		if err != nil {
			return nil, nil, nil, err
		}
		sent = append(sent, content.index)
		contents = append(contents, data)
	}
	return kept, sent, contents, nil
}
