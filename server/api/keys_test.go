package api

import (
	"errors"
	"fmt"
	"testing"
)

// The memory for keys is bounded. The newest keys stay.
func TestKeyringIsBounded(t *testing.T) {
	var k Keyring
	failed := errors.New("failed")
	for i := range 3 * keysKept {
		id, err := k.Once(t.Context(), fmt.Sprint(i), nil, func() (string, error) { return fmt.Sprint("s", i), nil })
		if err != nil || id != fmt.Sprint("s", i) {
			t.Fatal(id, err)
		}
		if _, err := k.Once(t.Context(), "always the same", nil, func() (string, error) { return "", failed }); !errors.Is(err, failed) {
			t.Fatal(err)
		}
	}
	if len(k.kept) > keysKept || len(k.order) != len(k.kept) {
		t.Errorf("%d are kept, %d in order", len(k.kept), len(k.order))
	}
	newest := fmt.Sprint(3*keysKept - 1)
	if id, err := k.Once(t.Context(), newest, nil, func() (string, error) { return "", failed }); err != nil || id != "s"+newest {
		t.Errorf("the newest key gives %q, %v", id, err)
	}
	// A request that panicked is not remembered either.
	func() {
		defer func() { recover() }()
		k.Once(t.Context(), "panics", nil, func() (string, error) { panic("for the test") })
	}()
	if id, err := k.Once(t.Context(), "panics", nil, func() (string, error) { return "x", nil }); id != "x" || err != nil {
		t.Errorf("after a panic: %q, %v", id, err)
	}
}
