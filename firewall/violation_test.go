package firewall_test

import (
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

func TestTypeOf(t *testing.T) {
	const url = "https://example.com/x"
	for _, c := range []struct {
		directive, url string
		want           rules.Type
	}{
		{"connect-src", url, rules.TypeFetch},
		{"connect-src", "http://example.com/", rules.TypeFetch},
		{"connect-src", "ws://example.com/", rules.TypeWebSocket},
		{"connect-src", "wss://example.com/", rules.TypeWebSocket},
		{"connect-src", "wssx://example.com/", rules.TypeFetch},
		{"connect-src", "", rules.TypeFetch},
		{"script-src", url, rules.TypeScript},
		{"script-src-elem", url, rules.TypeScript},
		{"script-src-attr", "inline", rules.TypeScript},
		{"style-src", url, rules.TypeStyle},
		{"style-src-elem", url, rules.TypeStyle},
		{"style-src-attr", "inline", rules.TypeStyle},
		{"img-src", url, rules.TypeImage},
		{"font-src", url, rules.TypeFont},
		{"media-src", url, rules.TypeMedia},
		{"frame-src", url, rules.TypeFrame},
		{"worker-src", url, rules.TypeWorker},

		// No rule can allow these.
		{"default-src", url, ""},
		{"object-src", url, ""},
		{"manifest-src", url, ""},
		{"base-uri", url, ""},
		{"form-action", url, ""},
		{"frame-ancestors", url, ""},
		{"img-src-x", url, ""},
		{"-elem", url, ""},
		{"", url, ""},
		{"", "", ""},
	} {
		if got := firewall.TypeOf(c.directive, c.url); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.directive, c.url, got, c.want)
		}
	}
}

// Every type has a directive that leads back to it. Otherwise a violation would be reported
// with the wrong rule.
func TestTypeOfKnowsEveryType(t *testing.T) {
	seen := map[rules.Type]bool{}
	for _, directive := range []string{"connect-src", "script-src", "style-src", "img-src", "font-src", "media-src", "frame-src", "worker-src"} {
		seen[firewall.TypeOf(directive, "https://example.com/")] = true
		seen[firewall.TypeOf(directive, "wss://example.com/")] = true
	}
	for _, kind := range rules.Types {
		if !seen[kind] {
			t.Errorf("no directive is of type %s", kind)
		}
	}
}
