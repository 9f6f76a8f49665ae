package browser

import (
	"testing"

	"github.com/playwright-community/playwright-go"
)

// CDP opens a session of the Chrome DevTools Protocol with the page.
func CDP(t testing.TB, page playwright.Page) playwright.CDPSession {
	t.Helper()
	session, err := page.Context().NewCDPSession(page)
	if err != nil {
		t.Fatalf("opening a DevTools session: %v", err)
	}
	return session
}

// StopServiceWorkers stops every service worker of the page's browser context,
// including those of cross-site frames, and returns once they have stopped. The next
// event starts them again, with empty memory.
func StopServiceWorkers(t testing.TB, page playwright.Page) {
	t.Helper()
	session := CDP(t, page)
	for _, method := range []string{"ServiceWorker.enable", "ServiceWorker.stopAllWorkers", "ServiceWorker.disable"} {
		if _, err := session.Send(method, nil); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	if err := session.Detach(); err != nil {
		t.Fatalf("closing the DevTools session: %v", err)
	}
}
