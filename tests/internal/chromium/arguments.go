package chromium

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// disabledFeatures is Playwright's list without ThirdPartyStoragePartitioning and other
// features that a user's browser has. The rest keeps tests from depending on the
// network or the machine.
var disabledFeatures = []string{
	"AvoidUnnecessaryBeforeUnloadCheckSync",
	"DestroyProfileOnBrowserClose",
	"HttpsFirstBalancedModeAutoEnable",
	"HttpsUpgrades",
	"MediaRouter",
	"OptimizationHints",
	"PaintHolding",
	"Translate",
	// The list below the address bar is an internal page (156), which each new window
	// loads. That takes 0.25 s of CPU time.
	"WebUIOmniboxAimPopup",
	"WebUIOmniboxPopup",
}

// Arguments are the ones with which all tests start Chromium, whichever driver they
// use.
var Arguments = []string{
	// The browser's own traffic would be noise in what leaves the machine.
	"--disable-background-networking",
	"--disable-component-update",
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-features=" + strings.Join(disabledFeatures, ","),
}

// WithoutPartitions is the switch of Playwright's own list that refuses a service
// worker to a cross-site frame. It repeats the list of [Arguments], because the last of
// several such switches wins.
func WithoutPartitions() string {
	for _, argument := range Arguments {
		if strings.HasPrefix(argument, "--disable-features=") {
			return argument + ",ThirdPartyStoragePartitioning"
		}
	}
	panic("chromium: the arguments disable no features")
}

// WithoutCookies are the preferences of a user who blocks all cookies.
var WithoutCookies = map[string]any{"profile": map[string]any{"default_content_setting_values": map[string]any{"cookies": 2}}}

// WritePreferences writes the preferences file of a new profile, whose folder is
// profile.
func WritePreferences(profile string, preferences map[string]any) error {
	text, err := json.Marshal(preferences)
	if err != nil {
		return err
	}
	folder := filepath.Join(profile, "Default")
	return errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "Preferences"), text, 0o600))
}
