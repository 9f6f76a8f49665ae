// Package firefox runs the escape suite in Firefox.
package firefox

import (
	"testing"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/tests/internal/escaping"
)

var engine = escaping.Browser{Engine: escape.Firefox, Drive: driveFirefox, Namings: 1}

func TestMain(m *testing.M) { escaping.Main(m) }

func TestFirefox(t *testing.T) { engine.Rows(t) }

// What each defense is for, as far as this browser shows it.
func TestDefenses(t *testing.T) {
	engine.Defenses(t, []escaping.Witness{
		{Defense: "Content-Security-Policy", Rows: []string{"navigation/location", "transport/websocket", "worker/data"}},
		{Defense: "X-DNS-Prefetch-Control", Rows: []string{"link/dns-prefetch"}},
		{Defense: "frame-src", Rows: []string{"navigation/location"}},
		{Defense: "sandbox", Rows: []string{"navigation/open"}},
		{Defense: "worker decision", Rows: []string{"fetch/method-of-rule"}},
	})
}
