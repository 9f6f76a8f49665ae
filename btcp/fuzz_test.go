package btcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/rules"
)

// Whatever its name, a capability opens only hosts that the policy allows, and adds
// nothing else to a header.
func FuzzCapabilities(f *testing.F) {
	p, err := rules.Parse("policy.yaml", []byte(policy))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{
		"network:fetch", "network:fetch:https://api.example.com", "network:fetch:https://b.example.net", "network:websocket:wss://live.example.com",
		"network:fetch:https://a.example.net; script-src *", "network:fetch:https://x,y.example.net", "network:fetch:https://u@b.example.net", "network:fetch:https://b.example.net:443",
		"network:fetch:https://'self'.example.net", "network:fetch:https://*.example.net", "dom:read", "network:fetch:https://..example.net", "network:fetch:https://B.example.net",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		grant, err := btcp.ParseCapabilities([]string{name})
		if err != nil {
			return
		}
		network := grant.Network(p)
		if len(network.Sources) != len(network.Patterns) {
			t.Errorf("%q opens %q", name, network)
		}
		for _, source := range network.Sources {
			if strings.ContainsFunc(source, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("'\";,@\\", c) }) {
				t.Errorf("%q puts %q into a header", name, source)
			}
			scheme, rest, _ := strings.Cut(source, "://")
			host, _, _ := strings.Cut(rest, "/")
			known := slices.Contains([]string{"https api.example.com", "wss live.example.com"}, scheme+" "+host)
			if !known && !(scheme == "https" && strings.HasSuffix(host, ".example.net")) {
				t.Errorf("%q opens %q, which the policy does not", name, source)
			}
		}
	})
}

// Checking a call of any form does not panic, and the reply is valid JSON.
func FuzzCall(f *testing.F) {
	for _, message := range []string{
		`{"id":1,"type":"execute","toolCode":"return 1","args":{"a":1},"inputSchema":{"properties":{"a":{"type":"string"}}}}`,
		`{"id":"x","type":"execute","toolCode":"return 1","capabilities":["dom:read"],"sandbox":"iframe","timeout":1000}`,
		`{"id":1,"type":"execute","toolCode":"1","args":1,"inputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}}`,
		`{"id":1,"type":"execute","toolCode":"1","args":[[1]],"inputSchema":{"items":{"$dynamicRef":"#"},"$dynamicAnchor":"x"}}`,
		`{"id":1,"type":"execute","toolCode":"1","args":"\ud800","inputSchema":{"pattern":"\\p{Cc}","minLength":-1}}`,
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		var call btcp.Call
		if json.Unmarshal([]byte(message), &call) != nil {
			return
		}
		reply := call.Answer(json.RawMessage("1"))
		if err := call.Check(); err != nil {
			reply = call.Fail(err)
			if err.Code == "" || err.Message == "" {
				t.Errorf("%q fails without a reason: %+v", message, err)
			}
		}
		if _, err := json.Marshal(reply); err != nil {
			t.Errorf("the reply to %q: %v", message, err)
		}
	})
}
