// Package chromium runs the escape suite in Chromium.
package chromium

import (
	"testing"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/escaping"
)

var engine = escaping.Browser{Engine: escape.Chromium, Drive: driveChromium, Namings: 2}

func TestMain(m *testing.M) { escaping.Main(m) }

func TestChromium(t *testing.T) { engine.Rows(t) }

// Requests and frames of an MCP App in browsers that give it no service worker: one with
// Playwright's own switches, and one whose user blocks all cookies.
func TestWithoutAWorker(t *testing.T) {
	for name, user := range map[string]user{
		"Playwright's switches": {arguments: []string{chromium.WithoutPartitions()}},
		"all cookies blocked":   {preferences: chromium.WithoutCookies},
	} {
		t.Run(name, func(t *testing.T) {
			escaping.Browser{Engine: escape.Chromium, Drive: user.drive, Namings: 1, Workerless: true}.Rows(t)
		})
	}
}

// One technique of each family runs in sandboxes over HTTPS.
func TestOverTLS(t *testing.T) {
	mixed := user{arguments: []string{"--unsafely-treat-insecure-origin-as-secure=*.canary.test"}}
	escaping.Browser{Engine: escape.Chromium, Drive: mixed.drive, Namings: 1, TLS: true}.Rows(t)
}

// What each defense is for, as far as this browser shows it.
func TestDefenses(t *testing.T) {
	engine.Defenses(t, []escaping.Witness{
		{Defense: "Content-Security-Policy", Rows: []string{"answer/frame", "answer/refresh"}},
		{Defense: "Connection-Allowlist", Rows: []string{"link/dns-prefetch", "link/preconnect", "transport/stun"}},
		{Defense: "worker decision", Rows: []string{"fetch/method-of-rule"}},
	})
}
