package library

import (
	"fmt"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A user is the mouse and the keyboard of a page. The browser counts their actions as
// gestures.
type user struct {
	click func(expression string) // clicks the middle of an element
	press func(keys ...string)
}

// webDriverKeys maps named keys to the code points that WebDriver uses for them
// (https://www.w3.org/TR/webdriver2/#keyboard-actions).
var webDriverKeys = map[string]string{"Tab": "\uE004"}

// openForUser opens a page in Chromium or WebKitGTK.
func openForUser(t *testing.T, engine, url string) (glass.Page, user) {
	t.Helper()
	if engine == "WebKitGTK" {
		page := glass.WebKit(t).Open(t, url)
		return page, webDriverUser(t, page, func(actions []any) {
			if err := page.Perform(t.Context(), actions); err != nil {
				t.Fatal(err)
			}
		})
	}
	in := glass.NewPage(t)
	if _, err := in.Goto(url); err != nil {
		t.Fatal(err)
	}
	page := glass.InChromium(in)
	return page, user{
		click: func(expression string) {
			x, y := middle(t, page, expression)
			if err := in.Mouse().Click(float64(x), float64(y)); err != nil {
				t.Fatal(err)
			}
		},
		press: func(keys ...string) {
			for _, key := range keys {
				if err := in.Keyboard().Press(key); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
}

func webDriverUser(t *testing.T, page glass.Page, perform func(actions []any)) user {
	type object = map[string]any
	return user{
		click: func(expression string) {
			x, y := middle(t, page, expression)
			perform([]any{object{"type": "pointer", "id": "mouse", "parameters": object{"pointerType": "mouse"}, "actions": []any{
				object{"type": "pointerMove", "x": x - 3, "y": y, "duration": 0}, object{"type": "pointerMove", "x": x, "y": y, "duration": 0},
				object{"type": "pointerDown", "button": 0}, object{"type": "pointerUp", "button": 0},
			}}})
		},
		press: func(keys ...string) {
			var actions []any
			for _, key := range keys {
				if special, ok := webDriverKeys[key]; ok {
					key = special
				}
				actions = append(actions, object{"type": "keyDown", "value": key}, object{"type": "keyUp", "value": key})
			}
			perform([]any{object{"type": "key", "id": "keyboard", "actions": actions}})
		},
	}
}

// middle returns the middle of an element, after two animation frames. Until a layout is
// drawn, Chromium uses the previous layout to find the target of a click.
func middle(t *testing.T, page glass.Page, expression string) (x, y int) {
	t.Helper()
	var at [2]float64
	page.Eval(t, fmt.Sprintf(`(async () => {
		for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
		const { x, y, width, height } = (%s).getBoundingClientRect()
		return [x + width / 2, y + height / 2]
	})()`, expression), &at)
	return int(at[0]), int(at[1])
}
