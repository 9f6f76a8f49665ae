package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Frame waits until a frame of the page, however deep, is at a URL that begins
// with urlPrefix, and returns it.
func Frame(t testing.TB, page playwright.Page, urlPrefix string) playwright.Frame {
	t.Helper()
	return FrameThat(t, page, "is at "+urlPrefix+"…", func(frame playwright.Frame) bool {
		return strings.HasPrefix(frame.URL(), urlPrefix)
	})
}

// FrameThat waits until the predicate holds for a frame of the page, and
// returns it. what says in words what the frame is or does.
func FrameThat(t testing.TB, page playwright.Page, what string, predicate func(playwright.Frame) bool) playwright.Frame {
	t.Helper()
	navigated := make(chan struct{}, 1)
	note := func(playwright.Frame) {
		select {
		case navigated <- struct{}{}:
		default: // One is noted already, and all frames are looked at.
		}
	}
	page.OnFrameNavigated(note)
	defer page.RemoveListener("framenavigated", note)

	deadline := time.NewTimer(timeout * time.Millisecond)
	defer deadline.Stop()
	for {
		for _, frame := range frames(page) {
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

// frames walks the tree of frames. page.Frames() cannot be used: when a frame is
// detached, playwright-go v0.5200.1 puts that frame in place of every other in
// its list (page.go, onFrameDetached). A detached frame stays in its parent's
// list, so it is left out here.
func frames(page playwright.Page) []playwright.Frame {
	all := []playwright.Frame{page.MainFrame()}
	for i := 0; i < len(all); i++ {
		for _, child := range all[i].ChildFrames() {
			if !child.IsDetached() {
				all = append(all, child)
			}
		}
	}
	return all
}

func frameURLs(page playwright.Page) []string {
	var urls []string
	for _, frame := range frames(page) {
		urls = append(urls, frame.URL())
	}
	return urls
}
