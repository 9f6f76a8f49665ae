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
	// What is performed in the page reaches no frame that has another process, so
	// it is performed in the view, beside which there is nothing then.
	f.page.Within(t, 2).Perform(t, escaping.WebDriverActions(t, kind, escaping.MiddleY+200))
}

func (f firefoxTab) Crashed() context.Context { return context.Background() }
