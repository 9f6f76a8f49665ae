package browser

import (
	"slices"
	"strings"
)

// powerful lists the features that current browsers know and that a page does not need for
// itself.
var powerful = []string{
	"accelerometer", "autoplay", "browsing-topics", "camera", "captured-surface-control",
	"clipboard-read", "clipboard-write", "compute-pressure", "cross-origin-isolated",
	"deferred-fetch", "deferred-fetch-minimal", "digital-credentials-get", "display-capture",
	"encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid",
	"identity-credentials-get", "idle-detection", "keyboard-map", "language-detector",
	"language-model", "local-fonts", "local-network-access", "magnetometer", "microphone",
	"midi", "otp-credentials", "payment", "picture-in-picture", "private-state-token-issuance",
	"private-state-token-redemption", "publickey-credentials-create", "publickey-credentials-get",
	"screen-wake-lock", "serial", "speaker-selection", "storage-access", "summarizer",
	"translator", "usb", "window-management", "xr-spatial-tracking",
}

// PermissionsPolicy returns a Permissions-Policy that names every feature that current
// browsers know. Granted features get the given allowlist, such as "(self)". All others are
// off.
func PermissionsPolicy(granted []string, list string) string {
	items := make([]string, 0, len(powerful))
	for _, name := range powerful {
		if slices.Contains(granted, name) {
			items = append(items, name+"="+list)
		} else {
			items = append(items, name+"=()")
		}
	}
	return strings.Join(items, ", ")
}
