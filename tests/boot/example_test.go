package boot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The example that serve shows without a folder does what its buttons say. It reads a file,
// one request gets out, and five do not. The log has each of them with its reason.
func TestExampleIsTrue(t *testing.T) {
	t.Parallel()
	v := openPrinted(t, command.Start(t, "serve", "--addr", "127.0.0.1:0"))
	if err := v.Page.SetViewportSize(1280, 800); err != nil {
		t.Fatal(err)
	}
	items := v.Page.FrameLocator("#view iframe").FrameLocator("iframe").Locator("#attempts li")
	for i, row := range []struct{ name, class, says string }{
		{"Read a file of its own, /wisdom.json", "out", "What is under glass"},
		{"Fetch what a rule allows, ", "out", "Hello from a server"},
		{"Post a secret there, where the rule says GET", "in", ""},
		{"Fetch what no rule allows, example.org", "in", ""},
		{"Load a tracking picture from example.com", "in", ""},
		{"Open a WebSocket", "in", ""},
		{"Navigate a frame away, a secret in its address", "in", ""},
	} {
		item := items.Nth(i)
		if err := browser.Expect(item.Locator("span")).ToContainText(row.name); err != nil {
			t.Fatal(err)
		}
		if err := item.Locator("button").Click(); err != nil {
			t.Fatal(err)
		}
		output := item.Locator("output." + row.class)
		if err := output.WaitFor(); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		if err := browser.Expect(output).ToContainText(row.says); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if n, err := items.Count(); err != nil || n != 7 {
		t.Errorf("the example has %d buttons, %v", n, err)
	}
	for choice, count := range map[string]string{"all": "6", "allow": "1", "block": "5"} {
		if err := browser.Expect(v.Page.GetByTestId("count-" + choice)).ToHaveText(count); err != nil {
			t.Error(err)
		}
	}
	var got []string
	rows, err := v.Page.Locator("[data-testid=verdict][data-virtual=false]").All()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		url := attribute(t, row, "data-url")
		if strings.HasPrefix(url, "http://localhost:") {
			url = "the example's server"
		}
		got = append(got, strings.Join([]string{attribute(t, row, "data-action"), url, attribute(t, row, "data-rule"), attribute(t, row, "data-source")}, " "))
	}
	if diff := cmp.Diff([]string{
		"allow the example's server hello worker",
		"block the example's server  worker",
		"block https://example.org/  browser",
		"block https://pixel.example.com/1.gif?secret=42 tracker browser",
		"block wss://echo.example.org/  browser",
		"block https://example.org  browser",
	}, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	glass.Picture(t, v.Page, "page.png")
}
