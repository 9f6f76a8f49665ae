package address

import (
	"fmt"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A page of a public site embeds a server on the reader's own machine. Chromium asks the
// reader for permission first. Without a window it refuses, unless the test has given the
// permission.
func TestLocalNetworkAccess(t *testing.T) {
	t.Parallel()
	embedder := serveSite(t)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{embedder.origin} })
	sandbox := g.NewSandbox(t, page("one"), policy)
	embedder.copied = glass.Body(t, g.Request(t, "GET", g.LibraryURL(), "script", map[string][]string{"Origin": {embedder.origin}}, nil))
	b, err := browser.LaunchTrusting(ca(t).PEM(), "--host-resolver-rules=MAP *.test 127.0.0.1",
		fmt.Sprintf("--ip-address-space-overrides=127.0.0.1:%d=public", embedder.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	open := func(allowed bool, library string) []string {
		tab := b.Page(t)
		if allowed {
			allowLoopback(t, tab, embedder.origin)
		}
		if _, err := tab.Goto(embedder.page(library, sandbox.OuterURL())); err != nil {
			t.Fatal(err)
		}
		var heard []string
		glass.InChromium(tab).Eval(t, `Promise.race([until('console', 1), until('error', 1), customElements.get('bellglass-sandbox') === undefined ? 'no library'.split() : new Promise(() => {})])`, &heard)
		return heard
	}
	if got := open(true, g.LibraryURL()); !strings.Contains(strings.Join(got, "\n"), "console I am one") {
		t.Errorf("allowed, the page hears %q", got)
	}
	if got := open(false, g.LibraryURL()); strings.Join(got, "") != "no library" {
		t.Errorf("not allowed, with the library of the local server, the page hears %q", got)
	}
	if got := open(false, "/copy.js"); !strings.Contains(strings.Join(got, "\n"), "error The browser does not let this page reach Bellglass") {
		t.Errorf("not allowed, with a copy of the library, the page hears %q", got)
	}
}

// allowLoopback gives a site the permission to reach this machine, as a reader would.
func allowLoopback(t *testing.T, tab playwright.Page, origin string) {
	t.Helper()
	session, err := tab.Context().NewCDPSession(tab)
	if err != nil {
		t.Fatal(err)
	}
	info, err := session.Send("Target.getTargetInfo", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Send("Browser.setPermission", map[string]any{
		"permission": map[string]any{"name": "loopback-network"}, "setting": "granted", "origin": origin,
		"browserContextId": info.(map[string]any)["targetInfo"].(map[string]any)["browserContextId"],
	}); err != nil {
		t.Fatal(err)
	}
}
