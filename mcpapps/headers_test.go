package mcpapps_test

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
)

// Such a document gets the policy that a server would give it, except for what a
// service worker would have to enforce.
func TestHeaders(t *testing.T) {
	t.Parallel()
	ui, err := mcpapps.ParseUI([]byte(`{"csp": {"connectDomains": ["https://api.example.com"], "frameDomains": ["https://map.example.com"]}, "permissions": {"camera": {}, "usb": {}}, "domain": "a", "prefersBorder": true}`))
	if err != nil {
		t.Fatal(err)
	}
	app, err := ui.Compile(mcpapps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	header, err := app.Headers(mcpapps.Document{Origin: "http://app.localhost:4000", Ancestors: []string{"http://host.example", "http://portal.example"}, Features: ui.Features()})
	if err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"Content-Security-Policy": {
			"default-src 'none'", "connect-src https://api.example.com", "frame-src https://map.example.com", "script-src 'self' 'unsafe-inline'", "object-src 'none'",
			"frame-ancestors 'self' http://host.example http://portal.example",
		},
		"Connection-Allowlist": {`"https://api.example.com/*"`},
		"Permissions-Policy":   {"camera=(self)", "microphone=()", "usb=()"},
		"Cache-Control":        {"no-store"},
		"Referrer-Policy":      {"no-referrer"},
	} {
		for _, want := range wants {
			if got := header.Get(name); !strings.Contains(got, want) {
				t.Errorf("%s is %q, and has no %q", name, got, want)
			}
		}
	}
	alone, err := (&mcpapps.App{}).Headers(mcpapps.Document{Origin: "https://app.example"})
	if err != nil {
		t.Fatal(err)
	}
	if policy := alone.Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'none'") || !strings.Contains(policy, "frame-ancestors 'self' https://app.example") || strings.Contains(policy, "unsafe-inline'; connect") {
		t.Errorf("the zero app has %s", policy)
	}
}

// Text that is not an origin could inject a directive into a header.
func TestHeadersRefuse(t *testing.T) {
	t.Parallel()
	app, err := mcpapps.Compile(mcpapps.CSP{}, mcpapps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const good = "http://app.localhost:4000"
	for _, bad := range []string{"", "*", "null", "app.localhost", "http://app.localhost/", "http://a b", "http://a;script-src *", "http://a, b", "http://a\n", "HTTP://a", "http://A", "http://[::1]", "http://u@a", "ftp://a", "http://a:", "http://a:4000/x", "'self'"} {
		if _, err := app.Headers(mcpapps.Document{Origin: bad, Ancestors: []string{good}}); err == nil {
			t.Errorf("%q is taken as an origin", bad)
		}
		if _, err := app.Headers(mcpapps.Document{Origin: good, Ancestors: []string{good, bad}}); err == nil {
			t.Errorf("%q is taken as an ancestor", bad)
		}
	}
	// A sandbox can be granted these, but the specification does not have them.
	for _, feature := range []string{"cross-origin-isolated", "fullscreen", "clipboardWrite", ""} {
		if _, err := app.Headers(mcpapps.Document{Origin: good, Features: []string{"camera", feature}}); err == nil || !strings.Contains(err.Error(), "camera, clipboard-write, geolocation, microphone") {
			t.Errorf("the feature %q: %v", feature, err)
		}
	}
}

// Metadata that does not follow the specification is rejected.
func TestParseUI(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`[]`: "_meta.ui", `{"csp": []}`: "not a JSON object", `{"csp": {"connectDomains": "a"}}`: "connectDomains", `{"permissions": []}`: "permissions",
		`{"domain": 1}`: "domain", `{"csp": {}, "csp": {}}`: "duplicate", `{`: "_meta.ui", ``: "_meta.ui",
	} {
		if ui, err := mcpapps.ParseUI([]byte(text)); err == nil || !strings.Contains(err.Error(), says) || ui.CSP != nil {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
	for _, text := range []string{`{}`, `null`, `{"csp": null, "unknown": 1}`} {
		if ui, err := mcpapps.ParseUI([]byte(text)); err != nil || ui.CSP != nil || len(ui.Features()) > 0 {
			t.Errorf("%s: %+v, %v", text, ui, err)
		}
	}
}
