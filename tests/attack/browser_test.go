package attack

import (
	"testing"

	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The browser and the canary work together: the canary records what a page fetches.
func TestBrowserReachesCanary(t *testing.T) {
	c := canary.Start(t)
	page := glass.NewPage(t)
	if _, err := page.Goto(c.URL("host", "page.html")); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Evaluate(`url => fetch(url, {mode: 'no-cors'})`, c.URLAt("localhost", "fetched", "x.json")); err != nil {
		t.Fatal(err)
	}
	hit, err := c.Wait(t.Context(), "fetched")
	if err != nil || hit.Kind != "http" || hit.Header.Get("Sec-Fetch-Mode") != "no-cors" {
		t.Errorf("hit %+v, %v, with %s", hit, err, glass.Chromium(t).Version())
	}
}
