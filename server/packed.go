package server

import (
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// The worker keeps small contents in memory, which come to it with the state. One
// round trip costs as much as some hundred KiB, so that larger ones are better
// asked for when they are needed; and all of them together must not delay the
// first answer after a wake. What is packed is in memory, as every small file is.
const (
	packedFile  = vfs.SmallFile // bytes of one content, at most
	packedTotal = 8 << 20       // bytes of all
)

// packed are the contents of a version that its workers keep in memory. It never
// changes.
//
// A worker that has any revision has exactly what was packed then. So it lacks
// what has been packed since a later one: no list of what was packed in each
// revision is needed, nor what each worker has.
type packed struct {
	contents []packedContent // in the order of the files, each once
	since    map[vfs.Hash]int64
}

type packedContent struct {
	place int // of the first file that has it, among all of the version
	hash  vfs.Hash
	size  int64 // bytes
	since int64 // the revision since which it has been packed in each
}

// next returns what is packed of the files, which become the revision that follows
// the one of p. The zero value stands for that before the first.
func (p packed) next(files *vfs.Snapshot, revision int64) packed {
	next := packed{since: make(map[vfs.Hash]int64, files.Len())}
	place, total := 0, int64(0)
	for entry := range files.Entries() {
		if _, twice := next.since[entry.Hash]; !twice && entry.Size <= packedFile && total+entry.Size <= packedTotal {
			since, stays := p.since[entry.Hash]
			if !stays {
				since = revision
			}
			next.since[entry.Hash] = since
			next.contents = append(next.contents, packedContent{place, entry.Hash, entry.Size, since})
			total += entry.Size
		}
		place++
	}
	return next
}

// lacking returns the bytes of all contents that a worker with a revision lacks.
// Revision 0 stands for none.
func (p packed) lacking(have int64) int64 {
	bytes := int64(0)
	for _, content := range p.contents {
		if content.since > have {
			bytes += content.size
		}
	}
	return bytes
}

// parcel returns what a worker with a revision is answered, in parts: the state, and
// of the files the contents that it lacks.
func (p packed) parcel(state []byte, files *vfs.Snapshot, have int64) ([][]byte, error) {
	var packing sw.Packing
	var contents [][]byte
	for _, content := range p.contents {
		if content.since <= have {
			packing.Kept = append(packing.Kept, content.place)
			continue
		}
		blob, found := files.Blob(content.hash)
		if !found {
			continue // its own files have it; the worker would ask for it singly
		}
		data, err := blob.Bytes()
		if err != nil {
			return nil, err
		}
		packing.Sent = append(packing.Sent, content.place)
		contents = append(contents, data)
	}
	return sw.Parcel(state, packing, contents)
}
