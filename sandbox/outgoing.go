package sandbox

import (
	"sync"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

// OutgoingTime is how long the contents of an older revision stay available. A worker may get
// the state just before a change, and fetch its contents at the end of its lease.
const OutgoingTime = 2 * LeaseTime

// outgoing keeps the files of replaced revisions for a while, so that loads in progress can
// finish. The store holds each snapshot once. outgoing is safe for concurrent use.
type outgoing struct {
	store *vfs.Store

	mu    sync.Mutex
	files map[*vfs.Snapshot]time.Time // kept until then
}

// keep keeps the files of a revision that is about to be replaced. The caller's hold in the
// store passes to outgoing.
func (o *outgoing) keep(files *vfs.Snapshot) {
	if files == nil {
		return // the first revision replaces nothing
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
		// The same files may have been kept again meanwhile, or end may have dropped them.
		if until, kept := o.files[files]; kept && !until.After(time.Now()) {
			o.drop(files)
		}
	})
}

// end drops all files.
func (o *outgoing) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for files := range o.files {
		o.drop(files)
	}
}

// drop stops keeping these files. o.mu is held.
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

// Blob finds a content by its hash in the newest revision's files, or in a revision that a
// worker may still answer from.
func (sb *Sandbox) Blob(hash vfs.Hash) (vfs.Blob, bool) {
	v, _ := sb.Version()
	if blob, found := v.Served.Blob(hash); found {
		return blob, true
	}
	return sb.outgoing.blob(hash)
}
