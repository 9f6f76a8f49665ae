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

// A Bare browser is as its makers ship it and as its user has it: started without
// the distribution's wrapper, whose flags switch <a ping> off; with the predictions
// of what the network will be needed for, which the usual arguments switch off;
// and with a profile, since a context of its own, which is what [Browser.Page]
// opens, is a private window, where nothing is predicted either. Its own traffic
// goes to wherever its makers want, so it is for a network namespace.
type Bare struct {
	context playwright.BrowserContext
	profile string

	opening sync.Mutex               // held while Tab opens one
	own     map[playwright.Page]bool // the tabs that Tab has opened
}

// A Driver launches browsers.
type Driver struct{ playwright *playwright.Playwright }

// StartDriver starts the driver. It is a program of its own, which takes as long to
// start as a browser, so that who launches many wants one.
func StartDriver() (*Driver, error) {
	driver, err := startDriver()
	if err != nil {
		return nil, err
	}
	return &Driver{driver}, nil
}

// Stop ends the driver, after its browsers.
func (d *Driver) Stop() error { return d.playwright.Stop() }

// LaunchBare starts a browser, with other preferences than a new profile's if there are any,
// and with more command-line arguments than the usual ones.
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
	context, err := d.playwright.Chromium.LaunchPersistentContext(profile, playwright.BrowserTypeLaunchPersistentContextOptions{
		ExecutablePath:    playwright.String(executable),
		Headless:          playwright.Bool(true),
		Args:              slices.DeleteFunc(slices.Concat(chromium.Arguments, more), func(a string) bool { return a == quiet }),
		IgnoreDefaultArgs: []string{quiet},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("launching %s: %w", executable, err), os.RemoveAll(profile))
	}
	context.SetDefaultTimeout(timeout)
	context.SetDefaultNavigationTimeout(timeout)
	b := &Bare{context: context, profile: profile, own: map[playwright.Page]bool{}}
	context.OnPage(b.closePopUp)
	return b, nil
}

// closePopUp closes a tab that a page has opened, once it has loaded or failed to.
// There may be hundreds.
func (b *Bare) closePopUp(page playwright.Page) {
	go func() {
		// A tab of the test's own is known when NewPage has returned, which is when
		// opening lets go of it.
		b.opening.Lock()
		own := b.own[page]
		b.opening.Unlock()
		if !own {
			page.WaitForLoadState() // or the time is up
			page.Close()            // or it is closed already
		}
	}()
}

// Tab opens a tab, which closes with the test.
func (b *Bare) Tab(t testing.TB) playwright.Page {
	t.Helper()
	b.opening.Lock()
	page, err := b.context.NewPage()
	if err == nil {
		b.own[page] = true
	}
	b.opening.Unlock()
	if err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	said := &record{}
	page.OnConsole(func(m playwright.ConsoleMessage) { said.add("console %s: %s", m.Type(), m.Text()) })
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

// describe tells of a frame whether it has loaded, is visible, and is drawn. Chromium drops
// what a user does to a frame that is not drawn.
const describe = `new Promise((resolve) => {
	requestAnimationFrame(() => resolve('drawn'))
	setTimeout(() => resolve('not drawn'), 1000)
}).then((drawn) => [document.readyState, document.visibilityState, drawn, document.body?.innerText].join(' '))`

// shown is the text of each frame of a tab, or that the frame does not answer.
func shown(page playwright.Page) string { return strings.Join(shownIn(page.MainFrame()), "\n") }

// shownIn walks the tree of frames: what the driver lists as the frames of a page, after one
// was removed, is that one and nothing else.
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

// answerTime is for a frame that is asked what it shows. The driver waits without a
// limit for one whose renderer hangs.
const answerTime = 5 * time.Second

// closeTab closes a tab, or leaves that to the end of the browser: the driver
// waits for the tab without a limit, and a renderer that has ended in the wrong
// moment never tells it.
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

// Close ends the browser.
func (b *Bare) Close() error {
	return errors.Join(b.context.Close(), os.RemoveAll(b.profile))
}
