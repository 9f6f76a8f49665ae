package library

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The example service shows generated code in its own page. The page learns which requests of
// the code were blocked.
func TestExampleViewer(t *testing.T) {
	t.Parallel()
	viewer := exec.Command(command.BuildPackage(t, "examples/viewer"), "--addr", "127.0.0.1:0")
	out, err := viewer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := viewer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		late := time.AfterFunc(time.Minute, func() { _ = viewer.Process.Kill() })
		defer late.Stop()
		_ = viewer.Process.Signal(syscall.SIGTERM) // Wait reports the error, too
		if err := viewer.Wait(); err != nil {
			t.Errorf("the example ends with %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	page := glass.NewPage(t)
	if _, err := page.Goto(strings.TrimSpace(address)); err != nil {
		t.Fatal(err)
	}
	if err := page.GetByLabel("What to draw").Fill("a quiet lighthouse"); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("button").Click(); err != nil {
		t.Fatal(err)
	}
	drawing := page.FrameLocator("iframe").FrameLocator("iframe")
	if err := browser.Expect(drawing.Locator("h1")).ToHaveText("a quiet lighthouse"); err != nil {
		t.Error(err)
	}
	if err := browser.Expect(page.Locator("#blocks li code")).ToHaveText("https://collect.example/?words=a%20quiet%20lighthouse"); err != nil {
		t.Error(err)
	}
	if err := browser.Expect(page.Locator("#blocks li span")).ToHaveText("no rule allows it"); err != nil {
		t.Error(err)
	}
}
