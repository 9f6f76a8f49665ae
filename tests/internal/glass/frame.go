package glass

import (
	"fmt"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
)

// Frame is the frame in the outer frame, which is the only one in the host page. A nested
// frame of the sandbox is deeper.
func (v *View) Frame() playwright.Frame {
	v.t.Helper()
	return browser.FrameThat(v.t, v.Page, "is the view", func(frame playwright.Frame) bool {
		outer := frame.ParentFrame()
		return outer != nil && outer.ParentFrame() == v.Page.MainFrame() &&
			strings.HasPrefix(frame.URL(), v.Origin+"/") && !strings.HasPrefix(frame.URL(), v.Origin+"/.bellglass/")
	})
}

// Eval runs a function of no arguments in the view's document and returns its result.
func (v *View) Eval(function string) any {
	v.t.Helper()
	result, err := v.Evaluate(function)
	if err != nil {
		v.t.Fatal(err)
	}
	return result
}

// Evaluate is Eval for a function that may fail.
func (v *View) Evaluate(function string) (any, error) {
	v.t.Helper()
	return Evaluate(v.Frame(), function)
}

// Text waits for an element of the view's document and returns its text.
func (v *View) Text(selector string) string {
	v.t.Helper()
	text, err := v.Frame().Locator(selector).TextContent()
	if err != nil {
		v.t.Fatal(err)
	}
	return text
}

// Reload has the view's document load itself again, and waits for the new one, not for the
// boot page that may stand in between.
func (v *View) Reload() {
	v.t.Helper()
	if _, err := v.Frame().Evaluate("() => { document.documentElement.dataset.old = 'yes'; location.reload() }"); err != nil {
		v.t.Fatal(err)
	}
	if err := v.Frame().Locator("html:not([data-old]):not(:has(script#data))").WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		v.t.Fatal(err)
	}
}

// Nest loads a path in a frame within the view, as the page itself would, and returns what
// the function, which gets the frame's window, makes of it.
func (v *View) Nest(path, function string) any {
	v.t.Helper()
	return v.Eval(fmt.Sprintf(`async () => {
		const frame = document.createElement('iframe')
		frame.src = location.origin + %s
		const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
		document.body.append(frame)
		await loaded
		try {
			return await (%s)(frame.contentWindow)
		} finally {
			frame.remove()
		}
	}`, Literal(v.t, path), function))
}

// Unregister takes every worker of the sandbox down.
func (v *View) Unregister() {
	v.t.Helper()
	got := v.Eval(`async () => { let all = true; for (const r of await navigator.serviceWorker.getRegistrations()) all &&= await r.unregister(); return all }`)
	if got != true {
		v.t.Fatalf("unregister gave %v", got)
	}
}
