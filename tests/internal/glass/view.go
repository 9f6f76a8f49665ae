package glass

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
)

// A View is a page in Chromium that shows a sandbox, usually its host page.
type View struct {
	t      testing.TB
	Page   playwright.Page
	Origin string // the sandbox's origin
}

// NewView returns the view of the sandbox at an origin, in a page that shows it
// already.
func NewView(t testing.TB, page playwright.Page, origin string) *View {
	return &View{t: t, Page: page, Origin: origin}
}

// Open opens the sandbox's host page under a host name, and waits until the view is
// ready.
func (g *Server) Open(t testing.TB, host string, sandbox *server.Sandbox) *View {
	t.Helper()
	return g.OpenIn(t, Chromium(t), host, sandbox)
}

// OpenIn is Open in a given browser.
func (g *Server) OpenIn(t testing.TB, b *browser.Browser, host string, sandbox *server.Sandbox) *View {
	t.Helper()
	v := NewView(t, b.Page(t), sandbox.URL())
	if _, err := v.Page.Goto(fmt.Sprintf("http://%s:%d/sandboxes/%s", host, g.Port, sandbox.ID())); err != nil {
		t.Fatal(err)
	}
	v.WaitState("ready")
	return v
}

// In returns the view for a sub-test, which then reports its failures.
func (v *View) In(t testing.TB) *View {
	inner := *v
	inner.t = t
	return &inner
}

// WaitState waits until the host page shows the state.
func (v *View) WaitState(state string) {
	v.t.Helper()
	v.WaitFor(fmt.Sprintf(`[data-testid=state][data-state=%q]`, state))
}

// WaitFor waits until the host page has an element, which need not be visible.
func (v *View) WaitFor(selector string) playwright.Locator {
	v.t.Helper()
	first := v.Page.Locator(selector).First()
	if err := first.WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		v.t.Fatalf("the host page has no %s: %v", selector, err)
	}
	return first
}

// Revision returns the newest revision that the host page shows.
func (v *View) Revision() int {
	v.t.Helper()
	text, err := v.Page.GetByTestId("revision").TextContent()
	if err != nil {
		v.t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		v.t.Fatalf("the host page shows the revision %q", text)
	}
	return n
}

// Outcome is an expression that waits in the host page for the outcome of the view. It
// is "ready", or "failed" with the page's explanation.
const Outcome = `new Promise((resolve) => {
	const state = document.querySelector('[data-testid=state]')
	const look = () => {
		if (state.dataset.state !== 'ready' && state.dataset.state !== 'failed') return
		resolve([state.dataset.state, document.querySelector('[data-testid=failure]').textContent])
	}
	new MutationObserver(look).observe(state, { attributes: true })
	look()
})`
