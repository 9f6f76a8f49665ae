package sandbox

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
)

// Each feature has a text that says what opens it, or that nothing does. A report that names
// something else gets the browser's verdict.
func TestFeaturesHaveWords(t *testing.T) {
	grantable := firewall.Grantable()
	all := append(slices.Clone(grantable.Flags), grantable.Permissions...)
	for feature := range features {
		name := string(feature)
		got, is := featureVerdict(name, firewall.Grants{})
		code := "not-grantable"
		if slices.Contains(all, name) {
			code = "not-granted"
		}
		if !is || got.Action != protocol.ActionBlock || got.Code != code || strings.Contains(got.Reason, "--grant "+name) != (code == "not-granted") {
			t.Errorf("%s: %+v", name, got)
		}
		if got, _ = featureVerdict(name, firewall.Grants{Permissions: []string{name}}); slices.Contains(grantable.Permissions, name) && (got.Code != "not-handed-on" || !strings.Contains(got.Reason, "allow attribute")) {
			t.Errorf("%s, granted: %+v", name, got)
		}
	}
	for _, name := range []string{"connect-src", "", "allow-everything"} {
		if got, is := featureVerdict(name, firewall.Grants{}); is {
			t.Errorf("%q is a feature: %+v", name, got)
		}
	}
}
