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
func TestDefences(t *testing.T) {
	engine.Defences(t, []escaping.Witness{
		{Defence: "Content-Security-Policy", Rows: []string{"navigation/location", "transport/websocket", "worker/data"}},
		{Defence: "X-DNS-Prefetch-Control", Rows: []string{"link/dns-prefetch"}},
		{Defence: "frame-src", Rows: []string{"navigation/location"}},
		{Defence: "sandbox", Rows: []string{"navigation/open"}},
		{Defence: "worker decision", Rows: []string{"fetch/method-of-rule"}},
	})
}
