package browser

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Frame waits until a frame of the page, at any depth, has a URL that begins with
// urlPrefix, and returns it.
func Frame(t testing.TB, page playwright.Page, urlPrefix string) playwright.Frame {
	t.Helper()
	return FrameThat(t, page, "is at "+urlPrefix+"…", func(frame playwright.Frame) bool {
		return strings.HasPrefix(frame.URL(), urlPrefix)
	})
}

// FrameThat waits until the predicate holds for a frame of the page, and returns the
// newest such frame. Chromium reports a frame's end only after its document has
// received pagehide, and a new frame can exist before that. what describes the frame
// for errors.
func FrameThat(t testing.TB, page playwright.Page, what string, predicate func(playwright.Frame) bool) playwright.Frame {
	t.Helper()
	navigated := make(chan struct{}, 1)
	note := func(playwright.Frame) {
		select {
		case navigated <- struct{}{}:
		default: // one signal is pending already, and all frames will be checked
		}
	}
	page.OnFrameNavigated(note)
	defer page.RemoveListener("framenavigated", note)

	deadline := time.NewTimer(Patience)
	defer deadline.Stop()
	for {
		for _, frame := range slices.Backward(frames(page)) {
			if predicate(frame) {
				return frame
			}
		}
		select {
		case <-navigated:
		case <-deadline.C:
			t.Fatalf("no frame %s; the page has %q", what, frameURLs(page))
		}
	}
}

// attached has the frames of each open page, except its main frame, in order of
// appearance. The driver's own lists are unusable: playwright-go v0.5200.1 writes them,
// and whether a frame is detached, without a lock from its own goroutine. When a frame
// is detached, it also replaces every other frame by that one (page.go,
// onFrameDetached). It calls the handlers from that goroutine too, one at a time.
var attached = struct {
	sync.Mutex
	of map[playwright.Page][]playwright.Frame
}{of: map[playwright.Page][]playwright.Frame{}}

// keepFrames starts the list of each page that the context opens.
func keepFrames(in playwright.BrowserContext) {
	in.OnPage(func(page playwright.Page) {
		page.OnFrameAttached(func(frame playwright.Frame) {
			attached.Lock()
			defer attached.Unlock()
			attached.of[page] = append(attached.of[page], frame)
		})
		page.OnFrameDetached(func(frame playwright.Frame) {
			attached.Lock()
			defer attached.Unlock()
			attached.of[page] = slices.DeleteFunc(attached.of[page], func(f playwright.Frame) bool { return f == frame })
		})
		page.OnClose(func(playwright.Page) {
			attached.Lock()
			defer attached.Unlock()
			delete(attached.of, page)
		})
	})
}

// frames returns the page's frames, parents before children.
func frames(page playwright.Page) []playwright.Frame {
	attached.Lock()
	defer attached.Unlock()
	return append([]playwright.Frame{page.MainFrame()}, attached.of[page]...)
}

func frameURLs(page playwright.Page) []string {
	var urls []string
	for _, frame := range frames(page) {
		urls = append(urls, frame.URL())
	}
	return urls
}
