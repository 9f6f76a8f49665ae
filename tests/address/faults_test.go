package address

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/proxies"
)

// TestFaultsAreSeen checks what a user sees who opens a sandbox at an address with a fault.
// The tests of cli/deployment check what the operator is told about these and other faults.
func TestFaultsAreSeen(t *testing.T) {
	t.Parallel()
	all := []string{ofItsOwn.page, ofItsOwn.outer, "*.usercontent.test"}
	nginx := func(change ...string) func(*testing.T) (*glass.Server, string) {
		return func(t *testing.T) (*glass.Server, string) {
			g, _ := deploy(t, func(t testing.TB, d proxies.Deployment) { proxies.Nginx(t, d, change...) }, ofItsOwn)
			return g, "/sandboxes/"
		}
	}
	for name, row := range map[string]struct {
		// open serves, and returns an address, or the path below which sandboxes are shown.
		open  func(*testing.T) (*glass.Server, string)
		fails string // the browser's own error
		says  string // text on the page, or of the failure shown on it
		code  string // code of the failure, for a user who has signed in
	}{
		"an expired certificate":       {open: serveWith(ca, -time.Hour, all...), fails: "ERR_CERT_DATE_INVALID"},
		"an unknown authority":         {open: serveWith(stranger, time.Hour, all...), fails: "ERR_CERT_AUTHORITY_INVALID"},
		"another name":                 {open: serveWith(ca, time.Hour, all[1:]...), fails: "ERR_CERT_COMMON_NAME_INVALID"},
		"no name of the outer frame":   {open: serveWith(ca, time.Hour, all[0], "*.sandbox.usercontent.test"), says: "open https://sandbox.usercontent.test", code: "no-answer"},
		"no wildcard":                  {open: serveWith(ca, time.Hour, all[:2]...), says: "did not load in time", code: "page-timeout"},
		"http":                         {open: serveAt("http://app.host.test:%d/"), says: "This port speaks HTTPS"},
		"a host that nothing is at":    {open: serveAt("https://x.usercontent.test:%d/"), says: `does not answer for the host "x.usercontent.test`},
		"a sandbox that is not there":  {open: serveAt("https://aaaaaaaaaaaaaaaaaaaaaaaaaa.usercontent.test:%d/"), says: "There is no sandbox with this ID."},
		"a proxy that changes Host":    {open: nginx("proxy_set_header Host $http_host;", ""), says: `does not answer for the host "127.0.0.1:`},
		"a proxy that reaches nothing": {open: nginx("proxy_pass http://127.0.0.1:", "proxy_pass http://127.0.0.2:"), says: "The proxy could not hand this request on."},
		"a proxy that buffers":         {open: nginx("proxy_buffering off;", "")}, // the server asks the proxy not to buffer
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, at := row.open(t)
			if strings.HasPrefix(at, "/") {
				at = g.PublicURL() + at + g.NewSandbox(t, page("one"), policy).ID()
			}
			tab := chromium(t).Page(t)
			_, err := tab.Goto(at)
			if row.fails != "" {
				if err == nil || !strings.Contains(err.Error(), row.fails) {
					t.Errorf("to open %s gave %v", at, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			seen := tab.Locator("body")
			if row.code != "" || row.says == "" {
				signIn(t, tab, g.Token())
			}
			if row.says == "" {
				if err := tab.Locator(`[data-testid=state][data-state=ready]`).WaitFor(); err != nil {
					t.Fatal(err)
				}
				if err := tab.Locator(`[data-testid=console-line]:has-text("I am one")`).WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
					t.Errorf("no event arrives: %v", err)
				}
				return
			}
			if row.code != "" {
				seen = tab.GetByTestId("failure")
				if err := browser.Expect(tab.Locator("#failure-code")).ToHaveText(row.code); err != nil {
					t.Error(err)
				}
			}
			if err := browser.Expect(seen).ToContainText(row.says); err != nil {
				t.Error(err)
			}
		})
	}
}

// stranger makes an authority that no browser trusts.
func stranger(t testing.TB) *testca.Authority {
	t.Helper()
	a, err := testca.New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// serveWith serves directly, with a certificate for these names.
func serveWith(authority func(testing.TB) *testca.Authority, left time.Duration, names ...string) func(*testing.T) (*glass.Server, string) {
	return func(t *testing.T) (*glass.Server, string) {
		t.Helper()
		cert, key, err := authority(t).Issue(t.TempDir(), time.Now().Add(left), names...)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := server.LoadCertificate(cert, key, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		listeners, err := server.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners.TLS(certificate)
		return glass.StartOn(t, listeners, func(c *server.Config) {
			c.PublicURL = fmt.Sprintf("https://%s:%d", ofItsOwn.page, listeners.Port())
			c.OuterHost, c.InnerHost = ofItsOwn.outer, ofItsOwn.inner
		}), "/sandboxes/"
	}
}

// serveAt serves directly. The address to open contains the port.
func serveAt(address string) func(*testing.T) (*glass.Server, string) {
	return func(t *testing.T) (*glass.Server, string) {
		t.Helper()
		g, d := deploy(t, nil, ofItsOwn)
		return g, fmt.Sprintf(address, d.Port)
	}
}
