package glass

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/browser"
)

// A Page is a page or frame of any engine.
type Page interface {
	// Eval evaluates an expression, waits if it is a promise, and decodes its value
	// from JSON into result.
	Eval(t testing.TB, expression string, result any)
}

// Engines are the browsers by name, each with a function that opens a page in it.
var Engines = map[string]func(t *testing.T, url string) Page{
	"Chromium":  OpenChromium,
	"Firefox":   func(t *testing.T, url string) Page { return Firefox(t).Open(t, url) },
	"WebKitGTK": func(t *testing.T, url string) Page { return WebKit(t).Open(t, url) },
}

// WorkerlessEngines are browsers that refuse a sandbox its worker and its storage.
var WorkerlessEngines = map[string]func(t *testing.T, url string) Page{
	"Chromium with Playwright's own switches": func(t *testing.T, url string) Page {
		page := Workerless(t).Page(t)
		if _, err := page.Goto(url); err != nil {
			t.Fatal(err)
		}
		return InChromium(page)
	},
	"Chromium with all cookies blocked": func(t *testing.T, url string) Page { return cookielessChromium(t).Open(t, url) },
	"Firefox with all cookies blocked":  func(t *testing.T, url string) Page { return cookielessFirefox(t).Open(t, url) },
}

// OpenChromium opens a page in Chromium.
func OpenChromium(t *testing.T, url string) Page {
	t.Helper()
	page := NewPage(t)
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	return InChromium(page)
}

// An Evaluator is a page or frame of the Chromium driver.
type Evaluator interface {
	Evaluate(expression string, arg ...any) (any, error)
}

// InChromium returns a Page for one of the Chromium driver.
func InChromium(in Evaluator) Page { return chromiumPage{in} }

type chromiumPage struct{ in Evaluator }

func (p chromiumPage) Eval(t testing.TB, expression string, result any) {
	t.Helper()
	got, err := Evaluate(p.in, "async () => JSON.stringify(await ("+expression+"))")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got.(string)), result); err != nil {
		t.Fatal(err)
	}
}

// Evaluate calls a JavaScript function without arguments in a page or frame and returns
// its result. The driver waits forever for a promise; Evaluate gives up after
// [browser.Patience].
func Evaluate(in Evaluator, function string) (any, error) {
	type outcome struct {
		result any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := in.Evaluate(function)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(browser.Patience):
		return nil, fmt.Errorf("no result within %v of %.300s", browser.Patience, function)
	}
}

// Measure calls a function in a page that resolves to a pair: how many milliseconds it
// took, and a number that the page saw.
func Measure(t testing.TB, in Page, call string) (time.Duration, int) {
	t.Helper()
	var pair [2]float64
	in.Eval(t, call, &pair)
	return time.Duration(pair[0] * float64(time.Millisecond)), int(pair[1])
}

// Literal returns a value as a JavaScript literal.
func Literal(t testing.TB, value any) string {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
