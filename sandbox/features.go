package sandbox

import (
	"fmt"
	"slices"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
)

// features says for each feature what a page cannot do without it. For features that no grant
// opens, the text also says why.
var features = map[protocol.Feature]string{
	protocol.FeatureModals:         "alert, confirm, prompt and print do nothing",
	protocol.FeatureClipboardRead:  "the clipboard cannot be read",
	protocol.FeatureClipboardWrite: "the clipboard cannot be written",
	protocol.FeatureFullscreen:     "nothing can have the whole screen",
	protocol.FeatureGeolocation:    "the page does not get the position",

	protocol.FeaturePopups:        "a window or tab would be outside of the glass, so no grant opens one",
	protocol.FeatureDownloads:     "nothing shows that a rule judges the request for a download, so no grant allows one",
	protocol.FeatureServiceWorker: "the sandbox's service worker is Bellglass's own firewall, so no other can be registered",
	protocol.FeatureCookies:       "this browser keeps no such cookie for a frame of another site, and a sandbox is one; store it in localStorage or IndexedDB",
}

// featureVerdict returns the verdict on a page's use of a feature. It returns false if the
// directive does not name a feature.
func featureVerdict(directive string, granted firewall.Grants) (protocol.Verdict, bool) {
	text, is := features[protocol.Feature(directive)]
	if !is {
		return protocol.Verdict{}, false
	}
	grantable := firewall.Grantable()
	flag, permission := slices.Contains(grantable.Flags, directive), slices.Contains(grantable.Permissions, directive)
	block := protocol.Verdict{Action: protocol.ActionBlock, Code: "not-grantable", Reason: text}
	switch {
	case !flag && !permission:
	case slices.Contains(granted.Permissions, directive):
		block.Code = "not-handed-on"
		block.Reason = fmt.Sprintf("%s: %s is granted, and the page around the sandbox does not hand it on; name it in the allow attribute of its frame", text, directive)
	default:
		block.Code = "not-granted"
		block.Reason = fmt.Sprintf("%s: grant %s when you make the sandbox, such as by serve --grant %[2]s", text, directive)
	}
	return block, true
}
