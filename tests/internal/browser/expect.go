package browser

import (
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Assertions about what a locator finds. Each waits until it holds, for [Patience] at most.
type Assertions struct{ locator playwright.Locator }

// Expect makes assertions that wait until they hold, also while the frames of the locator are
// replaced.
func Expect(l playwright.Locator) Assertions { return Assertions{l} }

// ToHaveText takes a string, or a *regexp.Regexp, as the driver does.
func (a Assertions) ToHaveText(text any) error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToHaveText(text) })
}

func (a Assertions) ToContainText(text string) error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToContainText(text) })
}

func (a Assertions) ToHaveCount(count int) error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToHaveCount(count) })
}

func (a Assertions) ToHaveAttribute(name, value string) error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToHaveAttribute(name, value) })
}

func (a Assertions) NotToHaveCSS(name, value string) error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.Not().ToHaveCSS(name, value) })
}

func (a Assertions) ToBeVisible() error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToBeVisible() })
}

func (a Assertions) ToBeHidden() error {
	return a.wait(func(l playwright.LocatorAssertions) error { return l.ToBeHidden() })
}

// wait repeats an assertion that fails before Patience is over. The driver (1.52) ends an assertion
// early if Chromium removes a frame of another process while the driver reads the frame. The error
// is then the same as after a full wait.
func (a Assertions) wait(holds func(playwright.LocatorAssertions) error) error {
	end := time.Now().Add(Patience)
	for {
		left := float64(time.Until(end).Milliseconds())
		err := holds(playwright.NewPlaywrightAssertions(left).Locator(a.locator))
		if err == nil || !strings.HasPrefix(err.Error(), "Locator expected ") || time.Until(end) < time.Second {
			return err
		}
	}
}
