package btcp_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/rules"
)

const policy = `version: 1
rules:
  - allow: https://api.example.com/v1/**
  - allow: http://insecure.example
  - {allow: "https://*.example.net", types: [fetch, image]}
  - {allow: https://get.example.com, methods: [GET]}
  - {allow: "https://pictures.example.com", types: [image]}
  - {allow: "https://part.example.org/*/x"}
  - {allow: "https://*.blocked.example"}
  - {block: https://not.blocked.example}
  - {allow: wss://live.example.com}
`

// The capability matrix: what each name opens of the policy.
func TestCapabilities(t *testing.T) {
	const api, net, live = "https://api.example.com/v1/", "https://*.example.net", "wss://live.example.com"
	for _, row := range []struct {
		capabilities, sources, patterns string // separated by spaces
	}{
		{"", "", ""},
		{"network:fetch", api + " " + net, "https://api.example.com/v1/* https://*.example.net/*"},
		{"network:fetch:cross-origin", api + " " + net, "https://api.example.com/v1/* https://*.example.net/*"},
		{"network:fetch:https://api.example.com", api, "https://api.example.com/v1/*"},
		{"network:fetch:https://b.a.example.net", "https://b.a.example.net", "https://b.a.example.net/*"},
		{"network:fetch:https://example.net", "", ""},
		{"network:fetch:https://notexample.net", "", ""},
		{"network:fetch:http://b.example.net", "", ""},
		{"network:fetch:https://b.example.net:8443", "", ""},
		{"network:fetch:https://get.example.com", "", ""},
		{"network:fetch:https://pictures.example.com", "", ""},
		{"network:fetch:http://insecure.example", "", ""}, // a source for http would open https as well
		{"network:fetch:https://insecure.example", "", ""},
		{"network:fetch:https://part.example.org", "", ""},
		{"network:fetch:https://is.blocked.example", "", ""},
		{"network:fetch:https://api.example.com.evil.test", "", ""},
		{"network:websocket", live, "https://live.example.com/*"},
		{"network:websocket:wss://live.example.com", live, "https://live.example.com/*"},
		{"network:websocket:wss://other.example.com", "", ""},
		{"network:fetch:https://api.example.com network:websocket", api + " " + live, "https://api.example.com/v1/* https://live.example.com/*"},
	} {
		grant, err := btcp.ParseCapabilities(strings.Fields(row.capabilities))
		if err != nil {
			t.Errorf("%s: %v", row.capabilities, err)
			continue
		}
		network := grant.Network(parse(t, policy))
		if got := strings.Join(network.Sources, " "); got != row.sources {
			t.Errorf("%q opens %q, want %q", row.capabilities, got, row.sources)
		}
		if got := strings.Join(network.Patterns, " "); got != row.patterns {
			t.Errorf("%q opens the patterns %q, want %q", row.capabilities, got, row.patterns)
		}
		for name, prefix := range map[string]string{"fetch": "network:fetch", "WebSocket": "network:websocket"} {
			if slices.Contains(grant.Hidden(), name) == strings.Contains(row.capabilities, prefix) {
				t.Errorf("%q hides %q", row.capabilities, grant.Hidden())
			}
		}
	}
}

// A ceiling may narrow any rule, and an audit policy opens everything. Under either, a
// grant opens nothing.
func TestOnlyWhatTheBrowserHolds(t *testing.T) {
	grant, err := btcp.ParseCapabilities([]string{"network:fetch", "network:websocket"})
	if err != nil {
		t.Fatal(err)
	}
	bounded, err := rules.Load("policy.yaml", func(name string) ([]byte, error) {
		if name == "policy.yaml" {
			return []byte("version: 1\ninclude: [ceiling.yaml]\nrules: [{allow: https://a.example}]\n"), nil
		}
		return []byte("version: 1\nceiling: true\nrules: [{allow: https://a.example}]\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*rules.Policy{"none": nil, "zero": {}, "an audit": parse(t, "version: 1\nmode: audit\n"), "a ceiling": bounded} {
		if network := grant.Network(p); len(network.Sources)+len(network.Patterns) > 0 {
			t.Errorf("%s opens %q", name, network)
		}
	}
}

func TestUnavailableCapabilities(t *testing.T) {
	for _, name := range []string{
		"", "network", "network:", "network:fetch:", "network:fetch:*", "network:fetchall", "network:fetch:https:", "network:fetch:https://", "network:fetch:https://a.example/",
		"network:fetch:https://a.example/path", "network:fetch:https://u@a.example", "network:fetch:https://A.example", "network:fetch:https://*.example", "network:fetch:wss://a.example",
		"network:fetch:https://a.example; script-src *", "network:fetch:https://a.example 'unsafe-eval'", "network:fetch:data:", "network:fetch:https://[::1]", "network:websocket:https://a.example",
		"network:fetch:same-origin", "network:websocket:same-origin", "NETWORK:FETCH", " network:fetch", "dom:observe", "dom:shadow", "dom", "dom:*", "storage:session:read", "storage:cookie:write",
		"clipboard:read", "media:camera", "geolocation", "notifications", "all", "*", "__proto__",
	} {
		var refused *btcp.CapabilityError
		if grant, err := btcp.ParseCapabilities([]string{"network:fetch", name}); !errors.As(err, &refused) || refused.Capability != name || refused.Reason == "" {
			t.Errorf("%q is granted: %+v, %v", name, grant, err)
		}
	}
}

// What a tool may ask of the page around it.
func TestHostMethods(t *testing.T) {
	for capabilities, want := range map[string]string{
		"":                                "",
		"network:fetch network:websocket": "",
		"dom:read":                        "dom.getTextContent dom.querySelector dom.querySelectorAll",
		"dom:write":                       "dom.click dom.getTextContent dom.querySelector dom.querySelectorAll dom.setTextContent",
		"dom:read dom:write":              "dom.click dom.getTextContent dom.querySelector dom.querySelectorAll dom.setTextContent",
		"storage:local:read":              "storage.local.getItem",
		"storage:local:write":             "storage.local.getItem storage.local.setItem",
		"network:fetch storage:local:read dom:read": "dom.getTextContent dom.querySelector dom.querySelectorAll storage.local.getItem",
	} {
		grant, err := btcp.ParseCapabilities(strings.Fields(capabilities))
		if err != nil {
			t.Errorf("%s: %v", capabilities, err)
		}
		if got := strings.Join(grant.Methods(), " "); got != want {
			t.Errorf("%q gives %q, want %q", capabilities, got, want)
		}
		if err := grant.Alone(); (err != nil) != (want != "") {
			t.Errorf("%q without a page around it: %v", capabilities, err)
		}
	}
}

func parse(t *testing.T, text string) *rules.Policy {
	t.Helper()
	p, err := rules.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
