package rules_test

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

// loadFiles reads a policy of several files; the first is policy.yaml.
func loadFiles(t *testing.T, texts map[string]string) (*rules.Policy, error) {
	t.Helper()
	return rules.Load("policy.yaml", func(name string) ([]byte, error) {
		text, ok := texts[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte("version: 1\n" + text), nil
	})
}

func mustLoad(t *testing.T, texts map[string]string) *rules.Policy {
	t.Helper()
	policy, err := loadFiles(t, texts)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// A case is a request and the verdict on it.
type layerCase struct {
	method, url string
	kind        rules.Type
	action      rules.Action
	rule        string
	code        rules.Code
	file        string
}

func checkCases(t *testing.T, policy *rules.Policy, cases []layerCase) {
	t.Helper()
	for _, c := range cases {
		v := policy.Program().Decide(rules.Request{Method: c.method, URL: c.url, Type: c.kind})
		if v.Action != c.action || v.Rule != c.rule || v.Code != c.code || v.File != c.file {
			t.Errorf("%s %s %s: got %+v, want %+v", c.method, c.kind, c.url, v, c)
		}
	}
}

// A block in any file blocks, and an allow in any file allows; the first file's
// rules are named first.
func TestLayers(t *testing.T) {
	policy := mustLoad(t, map[string]string{
		"policy.yaml": `include: [shared/base.yaml, shared/more.yaml]
rules:
  - {id: own, allow: "https://*.example.com"}
`,
		"shared/base.yaml": `include: [more.yaml]
scripts: [inline]
rules:
  - {id: base, allow: ["https://*.example.com", https://base.example.org]}
  - block: https://secret.example.com
`,
		"shared/more.yaml": `rules:
  - {allow: https://more.example.org}
`,
	})
	if len(policy.Layers) != 3 || len(policy.Scripts) != 1 {
		t.Errorf("%d layers, scripts %v", len(policy.Layers), policy.Scripts)
	}
	checkCases(t, policy, []layerCase{
		{"GET", "https://a.example.com/", rules.TypeFetch, rules.Allow, "own", rules.CodeRule, "policy.yaml"},
		{"GET", "https://base.example.org/", rules.TypeFetch, rules.Allow, "base", rules.CodeRule, "shared/base.yaml"},
		{"GET", "https://secret.example.com/", rules.TypeFetch, rules.Block, "base.rule-2", rules.CodeRule, "shared/base.yaml"},
		{"GET", "https://more.example.org/", rules.TypeFetch, rules.Allow, "more.rule-1", rules.CodeRule, "shared/more.yaml"},
		{"GET", "https://other.example.org/", rules.TypeFetch, rules.Block, "", rules.CodeDefault, "policy.yaml"},
	})
}

// A ceiling's allow rules bound the rules of other files and give nothing. Each ceiling bounds
// separately.
func TestCeilings(t *testing.T) {
	policy := mustLoad(t, map[string]string{
		"policy.yaml": `include: [one.yaml, two.yaml]
rules:
  - {id: api, allow: https://api.example.com, types: [fetch, script]}
  - {id: wide, allow: "https://*.example.org/v1/**"}
  - {id: out, allow: https://out.example.net}
  - {id: live, allow: wss://live.example.com/a/**}
`,
		"one.yaml": `ceiling: true
rules:
  - {id: company, allow: ["https://*.example.com", "https://*.example.org", wss://live.example.com]}
  - {id: only-by-one, allow: https://only.example.net}
`,
		"two.yaml": `ceiling: true
rules:
  - {id: reads, allow: "https://*.example.com", methods: [GET], types: [fetch]}
  - {id: org, allow: https://a.example.org/v1/x/**}
  - {id: sockets, allow: wss://live.example.com/a/b}
`,
	})
	checkCases(t, policy, []layerCase{
		{"GET", "https://api.example.com/", rules.TypeFetch, rules.Allow, "api", rules.CodeRule, "policy.yaml"},
		{"POST", "https://api.example.com/", rules.TypeFetch, rules.Block, "api", rules.CodeCeiling, "policy.yaml"},
		{"GET", "https://api.example.com/", rules.TypeScript, rules.Block, "api", rules.CodeCeiling, "policy.yaml"},
		{"GET", "https://other.example.com/", rules.TypeFetch, rules.Block, "", rules.CodeDefault, "policy.yaml"},
		{"GET", "https://only.example.net/", rules.TypeFetch, rules.Block, "", rules.CodeDefault, "policy.yaml"},
		{"GET", "https://out.example.net/", rules.TypeFetch, rules.Block, "out", rules.CodeCeiling, "policy.yaml"},
		{"GET", "https://a.example.org/v1/x/y", rules.TypeFetch, rules.Allow, "wide", rules.CodeRule, "policy.yaml"},
		{"GET", "https://a.example.org/v1/y", rules.TypeFetch, rules.Block, "wide", rules.CodeCeiling, "policy.yaml"},
		{"GET", "https://b.example.org/v1/x/y", rules.TypeFetch, rules.Block, "wide", rules.CodeCeiling, "policy.yaml"},
		{"GET", "wss://live.example.com/a/b", rules.TypeWebSocket, rules.Allow, "live", rules.CodeRule, "policy.yaml"},
		{"GET", "wss://live.example.com/a/c", rules.TypeWebSocket, rules.Block, "live", rules.CodeCeiling, "policy.yaml"},
	})
	// The browser's policies allow only what the ceilings leave.
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"connect-src", policy.Browser().Directives["connect-src"], []string{"https://a.example.org/v1/x/", "https://api.example.com", "wss://live.example.com/a/b"}},
		{"script-src", policy.Browser().Directives["script-src"], []string{"https://a.example.org/v1/x/"}},
		{"the allowlist", policy.Browser().Patterns, []string{"https://a.example.org/v1/x/*", "https://api.example.com/*", "https://live.example.com/a/b"}},
	} {
		if got := slices.Sorted(slices.Values(c.got)); !slices.Equal(got, c.want) {
			t.Errorf("%s has %q, want %q", c.what, got, c.want)
		}
	}
}
