package api

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"sync"
)

// keysKept is how many keys are remembered for each token. The oldest are forgotten first.
const keysKept = 1_000

// A Keyring remembers which sandbox each Idempotency-Key has made, so that a client that
// missed the response can ask again. The zero value is empty. It is safe for concurrent use.
type Keyring struct {
	mu    sync.Mutex
	kept  map[string]*keyed
	order []string // oldest first
}

// A keyed is a request with a key.
type keyed struct {
	body [sha256.Size]byte
	done chan struct{} // closed when the request is over
	id   string        // of the sandbox, or "" if none was made
}

// Once returns the id of the sandbox that was made with the key, or makes one. If another
// request with the key is running, Once waits for it. A failed request is forgotten.
func (k *Keyring) Once(ctx context.Context, key string, body []byte, create func() (id string, err error)) (id string, err error) {
	sum := sha256.Sum256(body)
	for {
		entry, mine := k.take(key, sum)
		if mine {
			return k.finish(key, entry, create)
		}
		if entry.body != sum {
			return "", Refuse(http.StatusConflict, "key-reused", "This Idempotency-Key was used with another body. Use a new key for a new request.")
		}
		select {
		case <-entry.done:
		case <-ctx.Done():
			return "", Refuse(http.StatusServiceUnavailable, "busy", "The client disconnected while another request with this Idempotency-Key was in progress.")
		}
		if entry.id != "" {
			return entry.id, nil
		}
	}
}

// take returns the request that belongs to the key. mine says that it is this request.
func (k *Keyring) take(key string, body [sha256.Size]byte) (entry *keyed, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if entry := k.kept[key]; entry != nil {
		return entry, false
	}
	if k.kept == nil {
		k.kept = map[string]*keyed{}
	}
	entry = &keyed{body: body, done: make(chan struct{})}
	k.kept[key], k.order = entry, append(k.order, key)
	for len(k.order) > keysKept {
		delete(k.kept, k.order[0])
		k.order = k.order[1:]
	}
	return entry, true
}

func (k *Keyring) finish(key string, entry *keyed, create func() (id string, err error)) (id string, err error) {
	defer close(entry.done)
	defer func() {
		if entry.id == "" { // it failed, or panicked
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.kept[key] == entry {
				delete(k.kept, key)
				k.order = slices.DeleteFunc(k.order, func(kept string) bool { return kept == key })
			}
		}
	}()
	entry.id, err = create()
	return entry.id, err
}
