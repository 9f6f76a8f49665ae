package glass

import (
	"context"
	"net/http"
	"sync"
)

// A Line connects a browser and a server. It can be cut, and connected to another
// server.
type Line struct {
	mu     sync.Mutex
	server http.Handler // nil while it is cut
	alive  context.Context
	end    context.CancelFunc
}

// Connect cuts the line and connects it to another server, or to none if that is nil.
func (l *Line) Connect(to http.Handler) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
	l.server = to
	l.alive, l.end = context.WithCancel(context.Background())
}

// ServeHTTP forwards a request to the server, until the line is cut.
func (l *Line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	server, alive := l.server, l.alive
	l.mu.Unlock()
	if server == nil {
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(alive, cancel)()
	server.ServeHTTP(w, r.WithContext(ctx))
	if alive.Err() != nil {
		panic(http.ErrAbortHandler)
	}
}
