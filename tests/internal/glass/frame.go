package glass

import (
	"fmt"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
)

// Frame returns the frame inside the outer frame, the only one in the host page. A
// nested frame of the sandbox is deeper.
func (v *View) Frame() playwright.Frame {
	v.t.Helper()
	return browser.FrameThat(v.t, v.Page, "is the view", func(frame playwright.Frame) bool {
		outer := frame.ParentFrame()
		return outer != nil && outer.ParentFrame() == v.Page.MainFrame() &&
			strings.HasPrefix(frame.URL(), v.Origin+"/") && !strings.HasPrefix(frame.URL(), v.Origin+"/.bellglass/")
	})
}

// Eval calls a function without arguments in the view's document and returns its
// result.
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

// Reload makes the view's document reload itself, and waits for the new one, not for
// the boot page that may come in between.
func (v *View) Reload() {
	v.t.Helper()
	if _, err := v.Frame().Evaluate("() => { document.documentElement.dataset.old = 'yes'; location.reload() }"); err != nil {
		v.t.Fatal(err)
	}
	if err := v.Frame().Locator("html:not([data-old]):not(:has(script#data))").WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		v.t.Fatal(err)
	}
}

// Nest loads a path in a frame inside the view, as the page itself would. It returns
// the result of the function, whose argument is the frame's window.
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

// Unregister unregisters every worker of the sandbox.
func (v *View) Unregister() {
	v.t.Helper()
	got := v.Eval(`async () => { let all = true; for (const r of await navigator.serviceWorker.getRegistrations()) all &&= await r.unregister(); return all }`)
	if got != true {
		v.t.Fatalf("unregister gave %v", got)
	}
}
