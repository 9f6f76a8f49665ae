// Package programs finds the programs that tests run: the drivers of Firefox and
// WebKitGTK, and proxies. Like package chromium it is separate from them, so that the
// installer can use it.
package programs

import (
	"fmt"
	"os"
	"os/exec"
)

// The environment variables that name programs to use instead of those on the path.
const (
	FirefoxEnv      = "BELLGLASS_FIREFOX"
	WebKitDriverEnv = "BELLGLASS_WEBKIT_DRIVER"
)

// Firefox returns the path of a Firefox. It prefers the long-term release, because the
// measurements were made with it. The error says how to install one.
func Firefox() (string, error) {
	return find("Firefox", FirefoxEnv, "firefox-esr", "firefox")
}

// WebKitDriver returns the path of WebKitGTK's WebDriver, which knows the browser that
// it was built with. The error says how to install one.
func WebKitDriver() (string, error) {
	return find("WebKitGTK driver", WebKitDriverEnv, "WebKitWebDriver")
}

// Xvfb returns the path of the X server without a screen. WebKitGTK needs it, because
// it cannot run headless. The error says how to install one.
func Xvfb() (string, error) {
	return find("Xvfb", "", "Xvfb")
}

// Nginx returns the path of nginx, a proxy that can end TLS. The error says how to
// install it.
func Nginx() (string, error) { return find("nginx", "", "nginx", "/usr/sbin/nginx") }

// Caddy returns the path of Caddy, a proxy that can end TLS. The error says how to
// install it.
func Caddy() (string, error) { return find("Caddy", "", "caddy") }

// Certutil returns the path of the program that writes Firefox's list of trusted
// authorities.
func Certutil() (string, error) { return find("certutil", "", "certutil") }

func find(what, env string, names ...string) (string, error) {
	instead := ""
	if env != "" {
		if named := os.Getenv(env); named != "" {
			path, err := exec.LookPath(named)
			if err != nil {
				return "", fmt.Errorf("%s=%s cannot be run: %w", env, named, err)
			}
			return path, nil
		}
		instead = fmt.Sprintf(", or set %s to one", env)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no %s found (tried %q): run go run ./tests/install%s", what, names, instead)
}
