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
		for _, frame := range page.Frames() {
			if strings.HasPrefix(frame.URL(), urlPrefix) {
				return frame
			}
		}
		select {
		case <-navigated:
		case <-deadline.C:
			t.Fatalf("no frame at %s…; the page has %q", urlPrefix, frameURLs(page))
		}
	}
}

func frameURLs(page playwright.Page) []string {
	var urls []string
	for _, frame := range page.Frames() {
		urls = append(urls, frame.URL())
	}
	return urls
}
