package compile

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache keeps results by key, up to a number of bytes. The longest unused result goes first. It
// is safe for concurrent use.
type cache struct {
	max int

	mu    sync.Mutex
	bytes int
	lru   *simplelru.LRU[string, sized]
}

type sized struct {
	value   any
	bytes   int
	expires time.Time // or zero
}

func newCache(max int) *cache {
	c := &cache{max: max}
	// The number of entries is bounded by their bytes.
	c.lru, _ = simplelru.NewLRU(1<<30, func(_ string, s sized) { c.bytes -= s.bytes })
	return c
}

// get returns the value for a key.
func get[T any](c *cache, key string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.lru.Get(key)
	if !ok {
		return value, false
	}
	if !s.expires.IsZero() && time.Now().After(s.expires) {
		c.lru.Remove(key)
		return value, false
	}
	return s.value.(T), true
}

// put keeps the value of size bytes for a key.
func put[T any](c *cache, key string, value T, size int) { putFor(c, key, value, size, 0) }

// putFor is put with the duration for which the value is kept. 0 has no limit.
func putFor[T any](c *cache, key string, value T, size int, d time.Duration) {
	const entry = 256 // bytes for the entry itself
	s := sized{value: value, bytes: size + len(key) + entry}
	if d > 0 {
		s.expires = time.Now().Add(d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.lru.Contains(key) {
		c.lru.Add(key, s)
		c.bytes += s.bytes
	}
	for c.bytes > c.max {
		c.lru.RemoveOldest()
	}
}

// cached returns the value for a key, or makes it. size returns its bytes. The error of produce
// says how long the value is kept ([keptFor]).
func cached[T any](c *cache, key string, size func(T) int, produce func() (T, error)) T {
	value, ok := get[T](c, key)
	if ok {
		return value
	}
	value, err := produce()
	if d, ok := keptFor(err); ok {
		putFor(c, key, value, size(value), d)
	}
	return value
}
