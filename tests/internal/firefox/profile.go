package firefox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bellglass/bellglass/tests/internal/nss"
)

// preferences are those of a new profile.
//
// Firefox under automation sets a long list of others. They are disabled, because some
// change what is under test, such as tracking protection. Everything that is set is
// here.
var preferences = map[string]any{
	"remote.prefs.recommended": false,
	// The browser makes six connections ahead of requests at once and drops further
	// ones. So what one page causes would depend on the number of others.
	"network.http.speculative-parallel-limit": 200,
	// The browser prefetches once no document of the process is loading, and drops what waits
	// when the next document begins. All sandboxes share a process. With this it prefetches
	// at once.
	"network.prefetch-next.aggressive": true,

	// No traffic of the browser itself: it would be noise in what leaves the machine.
	// What pages can cause (prefetching, preconnecting) stays enabled.
	"app.normandy.enabled":                            false,
	"app.update.disabledForTesting":                   true,
	"app.update.enabled":                              false,
	"browser.newtabpage.enabled":                      false,
	"browser.region.network.url":                      "",
	"browser.region.update.enabled":                   false,
	"browser.safebrowsing.blockedURIs.enabled":        false,
	"browser.safebrowsing.downloads.enabled":          false,
	"browser.safebrowsing.malware.enabled":            false,
	"browser.safebrowsing.phishing.enabled":           false,
	"browser.search.update":                           false,
	"browser.topsites.contile.enabled":                false,
	"datareporting.healthreport.uploadEnabled":        false,
	"datareporting.policy.dataSubmissionEnabled":      false,
	"datareporting.usage.uploadEnabled":               false,
	"dom.push.connection.enabled":                     false,
	"extensions.blocklist.enabled":                    false,
	"extensions.getAddons.cache.enabled":              false,
	"extensions.systemAddon.update.enabled":           false,
	"extensions.update.enabled":                       false,
	"media.gmp-manager.updateEnabled":                 false,
	"network.captive-portal-service.enabled":          false,
	"network.connectivity-service.enabled":            false,
	"security.remote_settings.crlite_filters.enabled": false,
	"security.remote_settings.intermediates.enabled":  false,
	"toolkit.telemetry.enabled":                       false,
	"toolkit.telemetry.server":                        "data:,",

	// Firefox requests remote settings from production unless [environment] says that
	// they are being tested. It never connects to this port.
	"services.settings.server": "http://127.0.0.1:1/v1",

	// Connect directly, whatever the machine's proxy is.
	"network.proxy.type": 0,

	// No pages and questions of the browser itself.
	"browser.aboutwelcome.enabled":                                false,
	"browser.shell.checkDefaultBrowser":                           false,
	"browser.startup.homepage_override.mstone":                    "ignore",
	"browser.startup.page":                                        0,
	"datareporting.policy.dataSubmissionPolicyBypassNotification": true,
	"termsofuse.bypassNotification":                               true,

	// Pop-ups open without a click, as in the Chromium that package browser drives:
	// only what is under test may stop them.
	"dom.disable_open_during_load": false,
}

// environment is needed beside the preferences. Firefox also keeps files where HOME and
// the XDG variables say.
func environment(profile string) []string {
	return append(os.Environ(),
		"HOME="+profile, "XDG_CACHE_HOME="+profile, "XDG_CONFIG_HOME="+profile,
		"MOZ_CRASHREPORTER_DISABLE=1", "MOZ_REMOTE_SETTINGS_DEVTOOLS=1")
}

// makeProfile returns the folder of a new profile. If a preference is given twice, the
// last one wins.
func makeProfile(options Options) (string, error) {
	var text strings.Builder
	for _, some := range []map[string]any{preferences, options.Preferences} {
		for name, value := range some {
			fmt.Fprintf(&text, "user_pref(%q, %#v);\n", name, value)
		}
	}
	dir, err := os.MkdirTemp("", "bellglass-firefox-")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(text.String()), 0o600); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	if options.Authority != nil {
		if err := nss.Trust(dir, options.Authority); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}
