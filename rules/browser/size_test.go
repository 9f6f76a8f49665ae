package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules/browser"
)

// The sizes match what the browser is told: each text with the three bytes around it, in each
// directive.
func TestSizesAreOfWhatIsTold(t *testing.T) {
	policies := map[string]string{
		"nothing":            "rules: []\n",
		"an audit":           "mode: audit\nrules:\n  - {allow: wss://live.example.com}\n",
		"frames and others":  "rules:\n  - {allow: https://a.example.com/x/**}\n  - {types: [frame, image], allow: https://a.example.com/x/**}\n",
		"covered":            "rules:\n  - {allow: ['https://*.example.com', https://a.example.com]}\n",
		"escaped characters": "rules:\n  - {allow: 'https://a.example.com/a;b,c/**'}\n",
		"doubled characters": "rules:\n  - {allow: ['https://a.example.com/a+b(c)/**', 'https://a.example.com/d:e']}\n",
		"sockets":            "rules:\n  - {allow: [wss://a.example.com, https://a.example.com]}\n",
		"widened":            "rules:\n" + manyHosts("[fetch, script, style]", 100, 0),
	}
	for name, text := range policies {
		b := mustParse(t, text).Browser()
		var want browser.Sizes
		for _, sources := range b.Directives {
			for _, source := range sources {
				want.CSP.Bytes += len(source) + 3
				want.CSP.Entries++
			}
		}
		want.ConnectionAllowlist.Bytes = len(browser.Allowlist(true, b.Patterns...)) - len(browser.Allowlist(true))
		want.ConnectionAllowlist.Entries = len(b.Patterns)
		if got := b.Sizes(); got != want {
			t.Errorf("%s: the sizes are %+v, but those of the browser's policy are %+v", name, got, want)
		}
	}
}

// A policy whose size is exactly the budget keeps its sources. With one byte more, they become
// wider. So the budget counts what Sizes returns.
func TestBudgetCountsTheSizes(t *testing.T) {
	for _, row := range []struct {
		header, types string
		copies        int // of each source
		around        int // bytes counted per source beside its text; for a pattern, beside the source's text
		size          func(browser.Sizes) browser.Size
	}{
		{"Content-Security-Policy", "[fetch, script]", 2, len(` ""`), func(s browser.Sizes) browser.Size { return s.CSP }},
		{"Connection-Allowlist", "[fetch]", 1, len(`/* ""`), func(s browser.Sizes) browser.Size { return s.ConnectionAllowlist }},
	} {
		t.Run(row.header, func(t *testing.T) {
			each := len("https://long-name.d000.example") + row.around
			room := browser.HeaderBudget / row.copies
			hosts := room / each
			for _, more := range []int{0, 1} {
				b := mustParse(t, "rules:\n"+manyHosts(row.types, hosts, room%each+more)).Browser()
				size := row.size(b.Sizes())
				if more == 0 && (size.Bytes != browser.HeaderBudget || b.Widened()) {
					t.Errorf("%+v, widened: %v; want all of the budget, and nothing widened", size, b.Widened())
				}
				if more == 1 && (size.Bytes > browser.HeaderBudget || !b.Widened()) {
					t.Errorf("with one byte more %+v, widened: %v", size, b.Widened())
				}
			}
		})
	}
}

// manyHosts allows hosts of one length, each with its own domain. It makes the names of the
// first ones longer, by that many bytes in all.
func manyHosts(types string, count, longer int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "  - types: %s\n    allow:\n", types)
	for i := range count {
		more := min(longer, 50) // a label has up to 63
		longer -= more
		fmt.Fprintf(&text, "      - https://long-name%s.d%03d.example\n", strings.Repeat("x", more), i)
	}
	return text.String()
}
