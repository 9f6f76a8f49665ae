package sandbox

import (
	"errors"
	"sync"

	"github.com/bellglass/bellglass/protocol"
)

// invalidations are the modules that call import.meta.hot.invalidate, and whose importers have not
// been asked yet. Untrusted code reports them as often as it likes, so each waits at most once, and
// one goroutine serves them all.
type invalidations struct {
	mu      sync.Mutex
	waiting map[string]bool // by path
	serving bool
}

// add returns true if the caller must serve what waits.
func (i *invalidations) add(path string) (serve bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting == nil {
		i.waiting = map[string]bool{}
	}
	i.waiting[path] = true
	serve = !i.serving
	i.serving = true
	return serve
}

// next removes a waiting path and returns it. If no path waits, it ends the serving.
func (i *invalidations) next() (path string, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for path := range i.waiting {
		delete(i.waiting, path)
		return path, true
	}
	i.serving = false
	return "", false
}

// invalidate makes a revision in which the importers of a module accept its change, because the
// module has called import.meta.hot.invalidate. Untrusted code reports this, so it counts only once
// for each module and change.
func (sb *Sandbox) invalidate(path string) {
	if v, _ := sb.Version(); !v.Modules.CanBeInvalid(path) || !sb.invalid.add(path) {
		return
	}
	// A change waits for the workers. The request with the report must not.
	go func() {
		for {
			path, ok := sb.invalid.next()
			if !ok {
				return
			}
			_, err := sb.Change(func(now Version) (Version, protocol.Step, string, error) {
				if !now.Modules.CanBeInvalid(path) {
					return now, "", "", errValid
				}
				now.invalid = path
				return now, protocol.StepFiles, "the page cannot replace " + path + " alone", nil
			})
			if err != nil && !errors.Is(err, errValid) && !errors.Is(err, ErrRemoved) {
				sb.Refused(err)
			}
		}
	}()
}

var errValid = errors.New("the module is valid")
