package boot

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A connection that was cut resumes where it stopped. A restarted server has lost its
// sandboxes. The page says so, and what to do, whether or not it is reloaded.
func TestConnectionLostAndServerRestarted(t *testing.T) {
	t.Parallel()
	var between glass.Line
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		between.Connect(next)
		return &between
	})
	t.Cleanup(func() { between.Connect(nil) }) // ends pending requests
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "<p>there</p>"}, glass.BlockAll)
	v := g.Open(t, "localhost", sandbox)
	v.WaitFor(`[data-testid=connection][data-connected=true]`)

	between.Connect(nil)
	v.WaitFor(`[data-testid=connection][data-connected=false]`)
	const changes = 3
	for i := range changes {
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/index.html": fmt.Sprint(i)})); err != nil {
			t.Fatal(err)
		}
	}
	between.Connect(g)
	v.WaitFor(`[data-testid=connection][data-connected=true]`)
	if err := browser.Expect(v.Page.Locator("[data-testid=revision]")).ToHaveText(fmt.Sprint(1 + changes)); err != nil {
		t.Error(err)
	}
	// Each event appears once, those from before the cut and those during it.
	if err := browser.Expect(v.Page.Locator("#network [data-testid=lifecycle]")).ToHaveCount(1 + changes); err != nil {
		t.Error(err)
	}

	between.Connect(glass.New(t, g.Port))
	if err := browser.Expect(v.Page.GetByTestId("connection")).ToHaveText("Sandbox gone"); err != nil {
		t.Error(err)
	}
	if err := v.Page.GetByTestId("reload").Click(); err != nil {
		t.Fatal(err)
	}
	v.WaitFor(`[data-testid=state][data-state=failed][data-code=sandbox-gone]`)
	failure := v.Page.GetByTestId("failure")
	if err := browser.Expect(failure).ToContainText("The server has no such sandbox any more"); err != nil {
		t.Error(err)
	}
	if err := browser.Expect(failure).ToContainText("open or create it again"); err != nil {
		t.Error(err)
	}
}
