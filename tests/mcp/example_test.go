package mcp

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// startMCPExample runs the example host, and returns the address that it prints.
func startMCPExample(t *testing.T, server ...string) string {
	t.Helper()
	host := exec.Command(command.BuildPackage(t, "examples/mcp-host"), append([]string{"--addr", "127.0.0.1:0", "--"}, server...)...)
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		late := time.AfterFunc(time.Minute, func() { _ = host.Process.Kill() })
		defer late.Stop()
		_ = host.Process.Signal(syscall.SIGINT) // Wait reports the error, too
		if err := host.Wait(); err != nil {
			t.Errorf("the example ends with %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// One command starts the example host, which shows an app. The app runs on an origin of its
// own and uses what a host provides.
func TestMCPHostExample(t *testing.T) {
	t.Parallel()
	page := glass.NewPage(t)
	if err := page.SetViewportSize(1280, 800); err != nil {
		t.Fatal(err)
	}
	address := startMCPExample(t)
	if _, err := page.Goto(address); err != nil {
		t.Fatal(err)
	}
	run := page.Locator("#run")
	if err := run.Click(); err != nil {
		t.Fatal(err)
	}
	outer := page.FrameLocator("#stage iframe")
	app := outer.FrameLocator("iframe")
	hex := app.Locator("#swatches li:nth-child(7) code")
	if err := browser.Expect(hex).ToContainText("#2e808b"); err != nil {
		t.Fatal(err)
	}
	// The app is as high as it reports.
	if err := browser.Expect(page.Locator("#stage iframe")).NotToHaveCSS("height", "420px"); err != nil {
		t.Error(err)
	}
	// Its slider calls its server's tool.
	if err := app.Locator("#turn").Fill("60"); err != nil {
		t.Fatal(err)
	}
	if err := browser.Expect(hex).ToContainText("#5f71a2"); err != nil {
		t.Error(err)
	}
	if err := browser.Expect(page.Locator("#lines li[data-who=app] code").Last()).ToHaveText(`make_palette {"color":"#17707b","turn":60}`); err != nil {
		t.Error(err)
	}
	if err := app.Locator("#use").Click(); err != nil {
		t.Fatal(err)
	}
	if err := browser.Expect(page.Locator("#lines li").Last()).ToContainText("Use these colors: #"); err != nil {
		t.Error(err)
	}
	glass.Picture(t, page, "mcp-host.png")
	// A link opens after the user agrees.
	if err := app.Locator("#about").Click(); err != nil {
		t.Fatal(err)
	}
	if err := browser.Expect(page.Locator("#link code")).ToHaveText("https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum.html"); err != nil {
		t.Error(err)
	}
	if err := page.Locator("#link button").First().Click(); err != nil {
		t.Fatal(err)
	}
	if err := browser.Expect(page.Locator("#lines li").Last()).ToContainText("opened no link"); err != nil {
		t.Error(err)
	}
	// The next run ends this view, and makes a view with another origin.
	origin := func() string {
		src, err := outer.Locator("iframe").GetAttribute("src")
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	first := origin()
	if err := run.Click(); err != nil {
		t.Fatal(err)
	}
	if err := browser.Expect(hex).ToContainText("#2e808b"); err != nil {
		t.Error(err)
	}
	if second := origin(); first == second || !strings.Contains(second, ".sandbox.localhost:") {
		t.Errorf("the views are at %s and %s", first, second)
	}
}

// Another MCP server's app reaches what it declares and nothing else. Pages of other origins
// do not reach the server's tools.
func TestMCPHostExampleContains(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	first, second := fmt.Sprintf("http://127.0.0.1:%d", birds.Port()), fmt.Sprintf("http://localhost:%d", birds.Port())
	address := startMCPExample(t, command.BuildPackage(t, "tests/internal/mcpserver"), first, second)
	page := glass.NewPage(t)
	if _, err := page.Goto(address); err != nil {
		t.Fatal(err)
	}
	// The canary's page sends the same request as the host's own page.
	call := fmt.Sprintf(`fetch(%q, { method: 'POST', mode: 'no-cors', body: JSON.stringify({ name: 'said', arguments: { said: %%q } }) }).then(() => true)`, address+"mcp/tools/call")
	var sent bool
	glass.InChromium(page).Eval(t, fmt.Sprintf(call, "own"), &sent)
	foreign := glass.NewPage(t)
	if _, err := foreign.Goto(birds.URL("foreign", "x.html")); err != nil {
		t.Fatal(err)
	}
	glass.InChromium(foreign).Eval(t, fmt.Sprintf(call, "foreign"), &sent)

	heard := []string{"own"}
	for _, row := range []struct{ tool, granted, second string }{{"narrow", "1", "refused"}, {"wide", "2", "reached"}} {
		urls := []string{birds.URLAt("localhost", row.tool+"-second", "x.json"), birds.URL(row.tool+"-first", "x.json")}
		if err := page.Locator("#tools button", playwright.PageLocatorOptions{HasText: row.tool}).Click(); err != nil {
			t.Fatal(err)
		}
		if err := page.Locator("#arguments").Fill(glass.Literal(t, map[string]any{"urls": urls})); err != nil {
			t.Fatal(err)
		}
		if err := page.Locator("#run").Click(); err != nil {
			t.Fatal(err)
		}
		heard = append(heard, "the result "+row.granted+" "+row.second+" reached")
		app := page.FrameLocator("#stage iframe").FrameLocator("iframe").Locator("body")
		if err := browser.Expect(app).ToHaveText("The server heard: " + strings.Join(heard, ", ")); err != nil {
			t.Fatal(err)
		}
	}
	for _, closing := range []playwright.Page{page, foreign} {
		if err := closing.Context().Close(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	if err := birds.Quiesce(ctx); err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]int{"narrow-first": 1, "narrow-second": 0, "wide-first": 1, "wide-second": 1} {
		if hits := birds.Hits(token); len(hits) != want {
			t.Errorf("%s: %d requests arrived, want %d: %+v", token, len(hits), want, hits)
		}
	}
}
