package vfs

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// On a fake clock: a burst ends when it pauses, and one that never pauses is looked at
// when patience runs out.
func TestSettle(t *testing.T) {
	for name, c := range map[string]struct {
		every time.Duration // between two events
		count int
		event fsnotify.Event
		again bool
		takes time.Duration
	}{
		"one event":               {0, 1, fsnotify.Event{Name: "a"}, false, quiet},
		"a burst":                 {quiet / 2, 5, fsnotify.Event{Name: "a"}, false, 4*(quiet/2) + quiet},
		"never pauses":            {quiet / 2, 1000, fsnotify.Event{Name: "a"}, false, patience},
		"nothing, but once more":  {0, 0, fsnotify.Event{}, true, quiet},
		"not ours, and once more": {quiet / 2, 1000, fsnotify.Event{Name: "b"}, true, quiet},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &fsnotify.Watcher{Events: make(chan fsnotify.Event), Errors: make(chan error)}
				ctx, cancel := context.WithCancel(t.Context())
				start := time.Now()
				go func() {
					for range c.count {
						select {
						case w.Events <- c.event:
						case <-ctx.Done():
							return
						}
						<-time.After(c.every)
					}
				}()
				if err := settle(ctx, nil, w, interest{names: []string{"a"}}, c.again); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != c.takes {
					t.Errorf("settle took %v on its own clock, want %v", took, c.takes)
				}
				cancel()
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // events were lost
		w := &fsnotify.Watcher{Events: make(chan fsnotify.Event), Errors: make(chan error, 1)}
		w.Errors <- fsnotify.ErrEventOverflow
		if err := settle(t.Context(), nil, w, interest{}, false); err != nil {
			t.Error(err)
		}
		close(w.Events)
		if err := settle(t.Context(), nil, w, interest{}, false); !errors.Is(err, fsnotify.ErrClosed) {
			t.Errorf("settle on a watcher that stopped = %v, want fsnotify.ErrClosed", err)
		}
	})
}

func TestInterest(t *testing.T) {
	site := filepath.FromSlash("/srv/site")
	i := interest{names: []string{site}, tree: site}
	for name, want := range map[string]bool{
		"/srv/site": true, "/srv/site/a": true, "/srv/site/a/b": true, "/srv": true, "/": true,
		"/srv/site2": false, "/srv/other": false, "/srv/sit": false, "/tmp": false,
	} {
		if got := i.in(filepath.FromSlash(name)); got != want {
			t.Errorf("interest in %s is %v, want %v", name, got, want)
		}
	}
	if i := (interest{names: []string{site}}); i.in(filepath.FromSlash("/srv/site/a")) {
		t.Error("a watched file covers paths below its name")
	}
}
