// Package browser drives one real Chromium for a test binary, so that what a
// test sees is what a user's browser does.
//
// TestMain calls [Launch] once and Close at the end; each test asks for its own
// page with [Browser.Page], which lives in a browser context of its own: no
// cookie, storage or service worker is shared between tests. When a test
// fails, its console lines, failed requests, a screenshot and a trace are kept
// in a folder that the test's log names (artifacts.go).
//
// The helpers wait for events of the browser, never for a fixed time. [Frame] waits for
// a frame, [StopServiceWorkers] stops the workers as the browser does after 30 s, and
// [CDP] gives access to the rest of the protocol.
//
// # Why the flags
//
// Playwright's defaults disable third-party storage partitioning, which no user's
// Chrome does. Then a service worker in a cross-site frame is refused. The last
// --disable-features wins, so ours replaces the list. The package's own test registers
// such a worker to prove it.
package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/nss"
)

// A Browser is a running Chromium and its driver.
type Browser struct {
	driver   *playwright.Playwright
	chromium playwright.Browser
	home     string // its own HOME, which Close removes, or ""
}

// Launch starts the driver and the browser, with additional command-line arguments. The
// errors say what to install.
func Launch(more ...string) (*Browser, error) { return launch("", more...) }

// LaunchTrusting is Launch for a browser that also trusts an authority, whose certificate
// is in PEM.
func LaunchTrusting(authority []byte, more ...string) (*Browser, error) {
	home, err := os.MkdirTemp("", "bellglass-chromium-")
	if err != nil {
		return nil, err
	}
	if err := nss.Trust(filepath.Join(home, ".pki", "nssdb"), authority); err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	b, err := launch(home, more...)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	return b, nil
}

// launch starts the browser of a user with this home folder, or with this program's if home
// is "".
func launch(home string, more ...string) (*Browser, error) {
	executable, err := chromium.Find()
	if err != nil {
		return nil, err
	}
	driver, err := startDriver()
	if err != nil {
		return nil, err
	}
	options := playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(executable),
		Headless:       playwright.Bool(true),
		Args:           slices.Concat(chromium.Arguments, more),
	}
	if home != "" {
		options.Env = environment(home)
	}
	launched, err := driver.Chromium.Launch(options)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("launching %s: %w", executable, err), driver.Stop())
	}
	return &Browser{driver, launched, home}, nil
}

// environment returns this program's environment with another HOME.
func environment(home string) map[string]string {
	all := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		all[name] = value
	}
	all["HOME"] = home
	return all
}

func startDriver() (*playwright.Playwright, error) {
	core, err := npm.Dir("playwright-core")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("the browser driver needs Node.js: %w", err)
	}
	// There is no option for this.
	if err := os.Setenv("PLAYWRIGHT_NODEJS_PATH", node); err != nil {
		return nil, err
	}
	driver, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory:     filepath.Dir(core), // which must have package/cli.js
		SkipInstallBrowsers: true,
	})
	if err != nil {
		return nil, fmt.Errorf("starting the browser driver: %w", err)
	}
	return driver, nil
}

// Version returns the version of the browser.
func (b *Browser) Version() string { return b.chromium.Version() }

// Close closes the browser and the driver.
func (b *Browser) Close() error {
	err := errors.Join(b.chromium.Close(), b.driver.Stop())
	if b.home != "" {
		err = errors.Join(err, os.RemoveAll(b.home))
	}
	return err
}
