// Package chromium finds the Chromium that the tests drive. It is separate from package
// browser so that the installer can use it without linking a browser driver.
//
// [Find] returns what to start, [FindBare] the same without a distribution's wrapper.
// [Arguments] are its arguments.
package chromium

import (
	"fmt"
	"os"
	"os/exec"
)

// Env is the environment variable that names a browser to use instead of one on the
// path.
const Env = "BELLGLASS_CHROMIUM"

// names are tried in this order. Google's own Chrome comes last, because the
// measurements were made with Chromium.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Find returns the path of the browser. The error says how to install one.
func Find() (string, error) {
	if named := os.Getenv(Env); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%s=%s cannot be run: %w", Env, named, err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium found (tried %q): run go run ./tests/install, or set %s to a browser", names, Env)
}

// bare is where Debian's wrapper finds the browser.
const bare = "/usr/lib/chromium/chromium"

// FindBare returns the path of the browser itself, where Find returns a wrapper that
// adds flags.
func FindBare() (string, error) {
	path, err := Find()
	if err == nil && path == "/usr/bin/chromium" {
		if itself, err := exec.LookPath(bare); err == nil {
			return itself, nil
		}
	}
	return path, err
}
