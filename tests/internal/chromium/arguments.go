package chromium

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// disabledFeatures is Playwright's list without ThirdPartyStoragePartitioning
// and without whatever else a user's browser has; what is left keeps tests
// from changing with the network or the machine.
var disabledFeatures = []string{
	"AvoidUnnecessaryBeforeUnloadCheckSync",
	"DestroyProfileOnBrowserClose",
	"HttpsFirstBalancedModeAutoEnable",
	"HttpsUpgrades",
	"MediaRouter",
	"OptimizationHints",
	"PaintHolding",
	"Translate",
	// The list below the address bar is a page of the browser's own (156), which each
	// new window loads for a quarter of a second of a processor's time.
	"WebUIOmniboxAimPopup",
	"WebUIOmniboxPopup",
}

// Arguments are those with which every Chromium of the tests starts, whoever drives it.
var Arguments = []string{
	// The browser's own traffic would only be noise in what leaves the machine.
	"--disable-background-networking",
	"--disable-component-update",
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-features=" + strings.Join(disabledFeatures, ","),
}

// WithoutPartitions is the switch of Playwright's own list that refuses a framed site of
// another origin its service worker. It repeats the list of [Arguments], since the last of
// several such switches holds.
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

// WritePreferences writes the file in which Chromium keeps those of a profile. The profile
// is a new one's folder.
func WritePreferences(profile string, preferences map[string]any) error {
	text, err := json.Marshal(preferences)
	if err != nil {
		return err
	}
	folder := filepath.Join(profile, "Default")
	return errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "Preferences"), text, 0o600))
}
