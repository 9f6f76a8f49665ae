package firewall

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
)

// The vectors test the outcomes of verdicts. This test checks their other fields.
func TestVerdictCarriesItsGrounds(t *testing.T) {
	policy, err := rules.Parse("policy.yaml", []byte(`version: 1
rules:
  - id: api
    allow: https://api.example.com/v1/**
    reason: the product's own API
  - block: https://api.example.com/v1/secret
`))
	if err != nil {
		t.Fatal(err)
	}
	firewall := New(policy)
	for _, c := range []struct {
		url  string
		want Verdict
	}{
		{"HTTPS://api.example.com:443/v1/%61#f", Verdict{
			Action: rules.Allow, Rule: "api", Code: rules.CodeRule, Reason: "the product's own API",
			URL: "https://api.example.com/v1/a", File: "policy.yaml", Line: 3,
		}},
		{"https://api.example.com/v1/secret", Verdict{
			Rule: "rule-2", Code: rules.CodeRule, Reason: "a rule blocks it",
			URL: "https://api.example.com/v1/secret", File: "policy.yaml", Line: 6,
		}},
		{"https://example.org", Verdict{
			Code: rules.CodeDefault, Reason: "no rule allows it", URL: "https://example.org/", File: "policy.yaml",
		}},
		{"https://a@example.org", Verdict{
			Code: rules.CodeNoncanonical, Reason: "the URL holds a user name or password", URL: "https://a@example.org", File: "policy.yaml",
		}},
	} {
		got := firewall.Decide(Request{Method: "GET", URL: c.url, Type: rules.TypeFetch})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.url, diff)
		}
	}
}

func TestZeroFirewallBlocksAll(t *testing.T) {
	var missing *Firewall
	for name, c := range map[string]struct {
		firewall *Firewall
		code     rules.Code
	}{
		"nil firewall":  {missing, rules.CodeNoProgram},
		"zero firewall": {&Firewall{}, rules.CodeNoProgram},
		"nil policy":    {New(nil), rules.CodeNoProgram},
		"zero policy":   {New(&rules.Policy{}), rules.CodeNoProgram},
	} {
		for _, kind := range rules.Types {
			url := "https://example.com/"
			if kind == rules.TypeWebSocket {
				url = "wss://example.com/"
			}
			if v := c.firewall.Decide(Request{Method: "GET", URL: url, Type: kind}); v.Action != rules.Block || v.Code != c.code {
				t.Errorf("%s, %s: got %+v, want a block with code %s", name, kind, v, c.code)
			}
		}
		if p := c.firewall.Policy(); p == nil || len(p.Rules) != 0 {
			t.Errorf("%s: the policy is %v, want an empty one", name, p)
		}
	}
	if (Verdict{}).Action != rules.Block {
		t.Error("the zero Verdict does not block")
	}
}

func BenchmarkDecide(b *testing.B) {
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\nrules:\n  - {allow: 'https://*.example.com/v1/**', methods: [GET]}\n"))
	if err != nil {
		b.Fatal(err)
	}
	firewall := New(policy)
	request := Request{Method: "GET", URL: "https://api.example.com/v1/users?page=1", Type: rules.TypeFetch}
	for b.Loop() {
		if firewall.Decide(request).Action != rules.Allow {
			b.Fatal("blocked")
		}
	}
}
