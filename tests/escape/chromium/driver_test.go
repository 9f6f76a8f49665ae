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
	silent *int // gestures that the driver did not return from
}

func (c chromiumTab) Crashed() context.Context { return c.alive }

// visitsOfABrowser is the number of pages after which another browser takes over. The driver
// attaches to every service worker, and an attached worker never stops. Each worker keeps a
// renderer and a connection, and a browser opens at most 256 connections. Beyond some 80
// renderers, Chromium puts pages of one site into one renderer. A row that ends its page's
// renderer, as some do, then ends other pages, too.
const visitsOfABrowser = 20

// browsers are the browser that opens new pages, and older ones that still show some.
type browsers struct {
	driver *browser.Driver
	user   user

	mu      sync.Mutex
	current *bare
}

type bare struct {
	*browser.Bare
	opened, open int // number of pages: ever opened, and open now
}

// A user starts a browser with settings other than the defaults.
type user struct {
	preferences map[string]any
	arguments   []string
}

// driveChromium returns a function that opens pages, and one that ends the browser.
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

// acquire returns a browser for one page, for use until the test ends.
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

// gestureTime is how long the test waits for the driver to perform a gesture, which takes a
// few milliseconds. Sometimes Chromium never acknowledges a click that removes the click's own
// frame, and the driver waits without a limit. The click did happen. The suite asks the page
// whether it received it.
const gestureTime = 15 * time.Second

// unanswered is how many gestures of a tab may remain unanswered. With more, the tab counts as
// dead.
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
		// If the button is still down, it must not be released where that would be a click.
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
