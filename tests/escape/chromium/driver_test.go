package chromium

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/escaping"
)

type chromiumTab struct {
	page   playwright.Page
	alive  context.Context
	silent *int // gestures that the driver did not come back from
}

func (c chromiumTab) Crashed() context.Context { return c.alive }

// visitsOfABrowser is after how many pages another browser takes over. The driver
// attaches itself to every service worker, and a worker that is looked at is never
// stopped; each holds a connection, of which a browser opens 256 at most, and a
// renderer. Beyond some 80 renderers Chromium puts pages of one site together, and
// what ends the renderer of one page, as some rows do, takes others along.
const visitsOfABrowser = 20

// browsers are the one that opens new pages, and those that still show some.
type browsers struct {
	driver *browser.Driver
	user   user

	mu      sync.Mutex
	current *bare
}

type bare struct {
	*browser.Bare
	opened, open int // pages: ever, and now
}

// A user starts a browser in another way than it is shipped.
type user struct {
	preferences map[string]any
	arguments   []string
}

// driveChromium returns how to open pages, and how to end the browser.
func driveChromium(t testing.TB) (open escaping.Driver, end func()) { return user{}.drive(t) }

func (u user) drive(t testing.TB) (open escaping.Driver, end func()) {
	t.Helper()
	driver, err := browser.StartDriver()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	})
	b := &browsers{driver: driver, user: u}
	end = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.retire(t)
	}
	t.Cleanup(end)
	return b.tab, end
}

// retire ends the current browser, or leaves that to the last of its pages.
func (b *browsers) retire(t testing.TB) {
	old := b.current
	b.current = nil
	if old != nil && old.open == 0 {
		if err := old.Close(); err != nil {
			t.Error(err)
		}
	}
}

// acquire returns a browser for one page, until the test ends.
func (b *browsers) acquire(t testing.TB) *bare {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current != nil && b.current.opened == visitsOfABrowser {
		b.retire(t)
	}
	if b.current == nil {
		launched, err := b.driver.LaunchBare(b.user.preferences, append([]string{"--ignore-certificate-errors", "--no-proxy-server"}, b.user.arguments...)...)
		if err != nil {
			t.Fatal(err)
		}
		b.current = &bare{Bare: launched}
	}
	mine := b.current
	mine.opened, mine.open = mine.opened+1, mine.open+1
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if mine.open--; mine.open > 0 || mine == b.current {
			return
		}
		if err := mine.Close(); err != nil {
			t.Error(err)
		}
	})
	return mine
}

func (b *browsers) tab(t testing.TB, url string) escaping.Tab {
	t.Helper()
	page := b.acquire(t).Tab(t)
	alive, crash := context.WithCancel(context.Background())
	page.OnCrash(func(playwright.Page) { crash() })
	if _, err := page.Goto(url, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	return chromiumTab{page, alive, new(int)}
}

// gestureTime is how long the driver is waited for. A gesture takes a few
// milliseconds. Now and then Chromium never acknowledges a click whose frame is taken
// away by it, and the driver, which knows no limit, waits for ever. The click was made
// then; whether the page felt it, the suite asks the page.
const gestureTime = 15 * time.Second

// unanswered is how many gestures on a tab may go so. More is a tab that is dead.
const unanswered = 3

func (c chromiumTab) Gesture(t testing.TB, kind string) {
	t.Helper()
	made := make(chan error, 1)
	go func() { made <- c.perform(kind) }()
	select {
	case err := <-made:
		if err != nil {
			t.Fatalf("the gesture %s: %v", kind, err)
		}
	case <-time.After(gestureTime):
		if *c.silent++; *c.silent > unanswered {
			t.Fatalf("the driver did not come back from the gesture %s, %d times", kind, *c.silent)
		}
		t.Logf("the driver does not come back from the gesture %s", kind)
	}
}

func (c chromiumTab) perform(kind string) error {
	const x, y, below = escaping.MiddleX, escaping.MiddleY, escaping.BelowY
	mouse, keyboard := c.page.Mouse(), c.page.Keyboard()
	var problems []error
	do := func(steps ...error) { problems = append(problems, steps...) }
	click := func(button *playwright.MouseButton) error {
		return mouse.Click(x, y, playwright.MouseClickOptions{Button: button})
	}
	do(mouse.Move(x-5, y-5), mouse.Move(x, y))
	switch kind {
	case "hover":
	case "down":
		// Should it still be down, it must not come up where that is a click.
		do(mouse.Move(x, below), mouse.Up(), mouse.Move(x, y), mouse.Down())
	case "click":
		do(click(playwright.MouseButtonLeft))
	case "ctrl-click":
		do(keyboard.Down("Control"), click(playwright.MouseButtonLeft), keyboard.Up("Control"))
	case "shift-click":
		do(keyboard.Down("Shift"), click(playwright.MouseButtonLeft), keyboard.Up("Shift"))
	case "middle-click":
		do(click(playwright.MouseButtonMiddle))
	case "context":
		do(click(playwright.MouseButtonRight))
	case "drag":
		do(mouse.Down(), mouse.Move(x+40, y+40), mouse.Move(x+200, y+200), mouse.Up())
	case "drag-out":
		do(mouse.Down(), mouse.Move(x+40, y+40), mouse.Move(x+200, y+200), mouse.Move(x, below), mouse.Move(x+5, below), mouse.Up())
	default:
		do(errors.New("there is no such gesture"))
	}
	return errors.Join(problems...)
}
