package browser

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/chromium"
)

// A Bare browser is the browser as its users have it. It is started without the
// distribution's wrapper, whose flags disable <a ping>. It predicts what the network
// will be needed for, which the usual arguments disable. And it has a profile: the
// separate context that [Browser.Page] opens is a private window, which predicts
// nothing either. The browser's own traffic goes to its makers, so it is for a network
// namespace.
type Bare struct {
	context playwright.BrowserContext
	profile string

	opening sync.Mutex               // held while Tab opens a tab
	own     map[playwright.Page]bool // the tabs that Tab opened
	window  playwright.CDPSession    // of the browser's first tab, which opens the others
}

// A Driver launches browsers.
type Driver struct{ playwright *playwright.Playwright }

// StartDriver starts the driver, a separate program that takes as long to start as a
// browser. Start one for many browsers.
func StartDriver() (*Driver, error) {
	driver, err := startDriver()
	if err != nil {
		return nil, err
	}
	return &Driver{driver}, nil
}

// Stop stops the driver. Close its browsers first.
func (d *Driver) Stop() error { return d.playwright.Stop() }

// LaunchBare starts a browser with additional preferences and command-line arguments.
func (d *Driver) LaunchBare(preferences map[string]any, more ...string) (*Bare, error) {
	executable, err := chromium.FindBare()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "bellglass-chromium-")
	if err != nil {
		return nil, err
	}
	if preferences != nil {
		if err := chromium.WritePreferences(profile, preferences); err != nil {
			return nil, errors.Join(err, os.RemoveAll(profile))
		}
	}
	const quiet = "--disable-background-networking"
	opened, err := d.playwright.Chromium.LaunchPersistentContext(profile, playwright.BrowserTypeLaunchPersistentContextOptions{
		ExecutablePath:    playwright.String(executable),
		Headless:          playwright.Bool(true),
		Args:              slices.DeleteFunc(slices.Concat(chromium.Arguments, more), func(a string) bool { return a == quiet }),
		IgnoreDefaultArgs: []string{quiet},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("launching %s: %w", executable, err), os.RemoveAll(profile))
	}
	opened.SetDefaultTimeout(timeout)
	opened.SetDefaultNavigationTimeout(timeout)
	b := &Bare{context: opened, profile: profile, own: map[playwright.Page]bool{}}
	if b.window, err = opened.NewCDPSession(opened.Pages()[0]); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	opened.OnPage(b.closePopUp)
	return b, nil
}

// closePopUp closes a tab that a page has opened, once it has loaded or failed to load.
// There may be hundreds.
func (b *Bare) closePopUp(page playwright.Page) {
	go func() {
		// A tab of the test is known once NewPage has returned. Only then is opening
		// released.
		b.opening.Lock()
		own := b.own[page]
		b.opening.Unlock()
		if !own {
			page.WaitForLoadState() // or the time is up
			page.Close()            // or it is closed already
		}
	}()
}

// open opens a tab in a window of its own. The driver would open all tabs in one window, where
// each is behind the next one. Frames of another process may then not be drawn, and receive no
// clicks, even though the driver makes the tabs behind believe that they are visible.
func (b *Bare) open() (playwright.Page, error) {
	b.opening.Lock()
	defer b.opening.Unlock()
	address := fmt.Sprintf("about:blank#%d", len(b.own))
	page, err := b.context.ExpectPage(func() error {
		_, err := b.window.Send("Target.createTarget", map[string]any{"url": address, "newWindow": true})
		return err
	}, playwright.BrowserContextExpectPageOptions{Predicate: func(page playwright.Page) bool { return page.URL() == address }})
	if err != nil {
		return nil, err
	}
	b.own[page] = true
	return page, nil
}

// Tab opens a tab, which closes with the test.
func (b *Bare) Tab(t testing.TB) playwright.Page {
	t.Helper()
	page, err := b.open()
	if err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	said := &record{}
	page.OnConsole(said.line)
	page.OnCrash(func(playwright.Page) { said.add("the page crashed") })
	page.OnPageError(func(err error) { said.add("uncaught: %v", err) })
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s at the end; it said:\n%s\nand shows:\n%s", page.URL(), said.text(), shown(page))
		}
		closeTab(t, page)
	})
	return page
}

// describe reports whether a frame has loaded, is visible, and is painted. Chromium
// drops input to a frame that is not painted.
const describe = `new Promise((resolve) => {
	requestAnimationFrame(() => resolve('drawn'))
	setTimeout(() => resolve('not drawn'), 1000)
}).then((drawn) => [document.readyState, document.visibilityState, drawn, document.body?.innerText].join(' '))`

// shown returns the text of each frame of a tab, or that the frame does not answer.
func shown(page playwright.Page) string { return strings.Join(shownIn(page.MainFrame()), "\n") }

// shownIn walks the tree of frames. The driver's own list is of no use: after a frame
// was removed, it contains that frame and nothing else.
func shownIn(frame playwright.Frame) (lines []string) {
	if frame.IsDetached() {
		return nil
	}
	text := make(chan string, 1)
	go func() {
		body, err := frame.Evaluate(describe)
		if err != nil {
			body = err
		}
		text <- fmt.Sprint(body)
	}()
	line := "does not answer"
	select {
	case line = <-text:
	case <-time.After(answerTime):
	}
	lines = append(lines, frame.URL()+": "+line)
	for _, child := range frame.ChildFrames() {
		lines = append(lines, shownIn(child)...)
	}
	return lines
}

// answerTime is how long a frame may take to say what it shows. The driver waits
// forever for one whose renderer hangs.
const answerTime = 5 * time.Second

// closeTab closes a tab, or leaves that to the end of the browser. The driver waits
// forever for a tab whose renderer ended at the wrong moment.
func closeTab(t testing.TB, page playwright.Page) {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- page.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Errorf("closing a tab: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Logf("the tab at %s does not close", page.URL())
	}
}

// Close closes the browser.
func (b *Bare) Close() error {
	return errors.Join(b.context.Close(), os.RemoveAll(b.profile))
}
