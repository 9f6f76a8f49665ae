package firefox

import (
	"context"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/escaping"
	"github.com/bellglass/bellglass/tests/internal/firefox"
)

type firefoxTab struct{ page *firefox.Page }

func driveFirefox(t testing.TB) (open escaping.Driver, finish func()) {
	t.Helper()
	b, err := firefox.Launch(t.Context(), firefox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	finish = sync.OnceFunc(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(finish)
	return func(t testing.TB, url string) escaping.Tab {
		t.Helper()
		return firefoxTab{b.Begin(t, url)}
	}, finish
}

func (f firefoxTab) Gesture(t testing.TB, kind string) {
	t.Helper()
	// A gesture performed in the page does not reach a frame in another process. So it is
	// performed in the view, and then there is nothing beside the view.
	f.page.Within(t, 2).Perform(t, escaping.WebDriverActions(t, kind, escaping.MiddleY+200))
}

func (f firefoxTab) Crashed() context.Context { return context.Background() }
