package escaping

import (
	"context"
	"testing"
)

// A Tab is an open page. It is closed at the end of the test that opened it.
type Tab interface {
	// Gesture makes a gesture in the middle of the view.
	Gesture(t testing.TB, kind string)
	// Crashed returns a context that ends when a renderer of the page has crashed.
	Crashed() context.Context
}

// A Driver opens pages in one engine.
type Driver func(t testing.TB, url string) Tab

// Where gestures are made, in a viewport of at least this size: in the middle of the
// view, and below the view.
const MiddleX, MiddleY, BelowY = 640, 300, 705

// Keys and buttons of the WebDriver specification
// (https://www.w3.org/TR/webdriver2/#keyboard-actions).
const (
	controlKey, shiftKey                 = "\uE009", "\uE008"
	leftButton, wheelButton, rightButton = 0, 1, 2
)

// WebDriverActions returns a gesture as the "actions" of WebDriver. below is the
// position of something beside the view.
func WebDriverActions(t testing.TB, kind string, below int) []any {
	t.Helper()
	type object = map[string]any
	move := func(x, y int) object {
		return object{"type": "pointerMove", "x": x, "y": y, "duration": 0}
	}
	down := func(button int) object { return object{"type": "pointerDown", "button": button} }
	up := func(button int) object { return object{"type": "pointerUp", "button": button} }
	pointer := []any{move(MiddleX-5, MiddleY-5), move(MiddleX, MiddleY)}
	key := ""
	switch kind {
	case "hover":
	case "down":
		pointer = append([]any{move(MiddleX, below), up(leftButton)}, append(pointer, down(leftButton))...)
	case "click":
		pointer = append(pointer, down(leftButton), up(leftButton))
	case "ctrl-click", "shift-click":
		key = map[string]string{"ctrl-click": controlKey, "shift-click": shiftKey}[kind]
		pointer = append(pointer, down(leftButton), up(leftButton))
	case "middle-click":
		pointer = append(pointer, down(wheelButton), up(wheelButton))
	case "context":
		pointer = append(pointer, down(rightButton), up(rightButton))
	case "drag":
		pointer = append(pointer, down(leftButton), move(MiddleX+40, MiddleY+40), move(MiddleX+200, MiddleY+200), up(leftButton))
	case "drag-out":
		pointer = append(pointer, down(leftButton), move(MiddleX+40, MiddleY+40), move(MiddleX, below), move(MiddleX+5, below), up(leftButton))
	default:
		t.Fatalf("no gesture %s", kind)
	}
	mouse := object{"type": "pointer", "id": "mouse", "parameters": object{"pointerType": "mouse"}, "actions": pointer}
	if key == "" {
		return []any{mouse}
	}
	// Hold the key down from before the first of the pointer's actions until after the
	// last.
	pause := object{"type": "pause", "duration": 0}
	keys := []any{object{"type": "keyDown", "value": key}}
	for range pointer {
		keys = append(keys, pause)
	}
	keys = append(keys, object{"type": "keyUp", "value": key})
	mouse["actions"] = append(append([]any{pause}, pointer...), pause)
	return []any{mouse, object{"type": "key", "id": "keyboard", "actions": keys}}
}
