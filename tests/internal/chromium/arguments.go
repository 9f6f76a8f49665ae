package chromium

import "strings"

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
