package server

import (
	"sync"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// outgoingTime is how long the contents of an older revision can be had: for a
// worker that was given it just before the change, and asks for them at the end of
// its lease.
const outgoingTime = 2 * leaseTime

// outgoing keeps the files of revisions for a while after a change, so that what
// loads meanwhile loads to the end. Safe for concurrent use.
type outgoing struct {
	mu    sync.Mutex
	files map[*vfs.Snapshot]time.Time // until when
}

// keep begins to keep the files of a revision that is about to be replaced.
func (o *outgoing) keep(files *vfs.Snapshot) {
	if files == nil {
		return // there was none before the first revision
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.files == nil {
		o.files = map[*vfs.Snapshot]time.Time{}
	}
	o.files[files] = time.Now().Add(outgoingTime)
	time.AfterFunc(outgoingTime, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		// The same files may have come and gone again.
		if !o.files[files].After(time.Now()) {
			delete(o.files, files)
		}
	})
}

func (o *outgoing) blob(hash vfs.Hash) (vfs.Blob, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for files := range o.files {
		if blob, found := files.Blob(hash); found {
			return blob, true
		}
	}
	return vfs.Blob{}, false
}

// blob finds a content in the newest revision's files, or in those of one that a
// worker may still answer from.
func (sb *Sandbox) blob(hash vfs.Hash) (vfs.Blob, bool) {
	v, _ := sb.now()
	if blob, found := v.files.Blob(hash); found {
		return blob, true
	}
	return sb.outgoing.blob(hash)
}
