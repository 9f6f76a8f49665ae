package process

import (
	"strings"
	"sync"
)

// An output keeps everything that is written to it, and lets callers wait for more.
type output struct {
	mu      sync.Mutex
	text    strings.Builder
	written chan struct{} // closed by the next write
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.written)
	o.written = make(chan struct{})
	return o.text.Write(b)
}

func (o *output) read() (text string, written <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String(), o.written
}
