package sandbox

import (
	"sync"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// OutgoingTime is how long the contents of an older revision can be had: for a
// worker that was given it just before the change, and asks for them at the end of
// its lease.
const OutgoingTime = 2 * LeaseTime

// outgoing keeps the files of revisions for a while after a change, so that what
// loads meanwhile loads to the end. Each is held once in the store. Safe for concurrent
// use.
type outgoing struct {
	store *vfs.Store

	mu    sync.Mutex
	files map[*vfs.Snapshot]time.Time // until when
}

// keep begins to keep the files of a revision that is about to be replaced, and takes
// over the holding of them.
func (o *outgoing) keep(files *vfs.Snapshot) {
	if files == nil {
		return // there was none before the first revision
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.files == nil {
		o.files = map[*vfs.Snapshot]time.Time{}
	}
	if _, again := o.files[files]; again {
		o.store.Release(files)
	}
	o.files[files] = time.Now().Add(OutgoingTime)
	time.AfterFunc(OutgoingTime, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		// The same files may have come and gone again, or all have gone.
		if until, kept := o.files[files]; kept && !until.After(time.Now()) {
			o.drop(files)
		}
	})
}

// end keeps none of them any more.
func (o *outgoing) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for files := range o.files {
		o.drop(files)
	}
}

// drop ends the keeping. o.mu is held.
func (o *outgoing) drop(files *vfs.Snapshot) {
	delete(o.files, files)
	o.store.Release(files)
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

// Blob finds a content in the newest revision's files, or in those of one that a
// worker may still answer from.
func (sb *Sandbox) Blob(hash vfs.Hash) (vfs.Blob, bool) {
	v, _ := sb.Version()
	if blob, found := v.Files.Blob(hash); found {
		return blob, true
	}
	return sb.outgoing.blob(hash)
}
