package sandbox

import "github.com/bellglass/bellglass/vfs"

// The worker keeps small contents in memory, which come to it with the state. One
// round trip costs as much as some hundred KiB, so that larger ones are better
// asked for when they are needed; and all of them together must not delay the
// first answer after a wake. What is packed is in memory, as every small file is.
const (
	PackedFile  = vfs.SmallFile // bytes of one content, at most
	PackedTotal = 8 << 20       // bytes of all
)

// Packed are the contents of a version that its workers keep in memory. It never
// changes.
//
// A worker that has any revision has exactly what was packed then. So it lacks
// what has been packed since a later one: no list of what was packed in each
// revision is needed, nor what each worker has.
type Packed struct {
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
func (p Packed) next(files *vfs.Snapshot, revision int64) Packed {
	next := Packed{since: make(map[vfs.Hash]int64, files.Len())}
	place, total := 0, int64(0)
	for entry := range files.Entries() {
		if _, twice := next.since[entry.Hash]; !twice && entry.Size <= PackedFile && total+entry.Size <= PackedTotal {
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

// Lacking returns the bytes of all contents that a worker with a revision lacks.
// Revision 0 stands for none.
func (p Packed) Lacking(have int64) int64 {
	bytes := int64(0)
	for _, content := range p.contents {
		if content.since > have {
			bytes += content.size
		}
	}
	return bytes
}

// Contents returns what a worker with a revision lacks of the files' contents. kept and sent
// are the places of those that it has and lacks, among all files.
func (p Packed) Contents(files *vfs.Snapshot, have int64) (kept, sent []int, contents [][]byte, err error) {
	for _, content := range p.contents {
		if content.since <= have {
			kept = append(kept, content.place)
			continue
		}
		blob, found := files.Blob(content.hash)
		if !found {
			continue // its own files have it; the worker would ask for it singly
		}
		data, err := blob.Bytes()
		if err != nil {
			return nil, nil, nil, err
		}
		sent = append(sent, content.place)
		contents = append(contents, data)
	}
	return kept, sent, contents, nil
}
