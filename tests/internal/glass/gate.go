package glass

import (
	"net/http"
	"strings"
	"sync"
)

// A Gate holds requests or answers back until it is released.
type Gate struct {
	path  string
	after int
	open  chan struct{}
	once  sync.Once
	// Entered receives the first request that is held.
	Entered chan struct{}
}

// NewGate returns a gate for a path. It lets after bytes of an answer pass.
func NewGate(path string, after int) *Gate {
	return &Gate{path: path, after: after, open: make(chan struct{}), Entered: make(chan struct{}, 1)}
}

// Release lets everything pass from now on.
func (g *Gate) Release() { g.once.Do(func() { close(g.open) }) }

// HoldAnswers holds back answers below the path.
func (g *Gate) HoldAnswers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, g.path) {
			w = &gatedWriter{ResponseWriter: w, gate: g, done: r.Context().Done()}
		}
		next.ServeHTTP(w, r)
	})
}

// HoldRequests holds back requests whose path ends with the gate's.
func (g *Gate) HoldRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, g.path) {
			select {
			case g.Entered <- struct{}{}:
			default: // sent already
			}
			select {
			case <-g.open:
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

type gatedWriter struct {
	http.ResponseWriter
	gate    *Gate
	done    <-chan struct{}
	written int
}

// Unwrap lets a handler flush.
func (w *gatedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *gatedWriter) Write(b []byte) (int, error) {
	n := 0
	if room := w.gate.after - w.written; room > 0 {
		var err error
		n, err = w.ResponseWriter.Write(b[:min(room, len(b))])
		if w.written += n; err != nil || n == len(b) {
			return n, err
		}
	}
	if err := http.NewResponseController(w.ResponseWriter).Flush(); err != nil {
		return n, err
	}
	select {
	case <-w.gate.open:
	case <-w.done: // the browser is gone
		return n, http.ErrAbortHandler
	}
	more, err := w.ResponseWriter.Write(b[n:])
	return n + more, err
}
