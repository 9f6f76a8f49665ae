package firewall_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/browsermodel"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
)

// Explain agrees with Decide on every vector. Its JSON has the keys that scripts rely on, and
// no null.
func TestExplainIsDecide(t *testing.T) {
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"canonicalUrl", "code", "connectionAllowlist", "csp", "enforcedBy", "file", "line", "matches", "reason", "rule", "verdict"}
	for _, file := range files {
		policy, err := rules.Parse(file.Name, file.Policy)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Cases {
			request := firewall.Request{Method: c.Method, URL: c.URL, Type: c.Type}
			want := policy.Program().Decide(request)
			e := firewall.New(policy).Explain(request)
			if got := (firewall.Verdict{Action: e.Verdict, Rule: e.Rule, Code: e.Code, Reason: e.Reason, URL: e.CanonicalURL, File: e.File, Line: e.Line}); got != want || e.Verdict != c.Action {
				t.Errorf("%s:%d: explained as %+v, decided as %+v", file.Name, c.Line, got, want)
			}
			if e.Rule != "" && !slices.ContainsFunc(e.Matches, func(m rules.Match) bool { return m.Rule == e.Rule }) {
				t.Errorf("%s:%d: %s decides and is not among the matches %v", file.Name, c.Line, e.Rule, e.Matches)
			}
			text, err := json.Marshal(e)
			var got map[string]json.RawMessage
			if err == nil {
				err = json.Unmarshal(text, &got)
			}
			if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), keys) {
				t.Fatalf("%s:%d: %v, %s", file.Name, c.Line, err, text)
			}
			for key, value := range got {
				if string(value) == "null" {
					t.Errorf("%s:%d: %s is null", file.Name, c.Line, key)
				}
			}
		}
	}
}

func TestExplainWithoutPolicy(t *testing.T) {
	for name, f := range map[string]*firewall.Firewall{"nil": nil, "zero": {}, "nil policy": firewall.New(nil)} {
		e := f.Explain(firewall.Request{Method: "GET", URL: "https://example.com/", Type: rules.TypeFetch})
		if e.Verdict != rules.Block || e.Code != rules.CodeNoProgram || e.EnforcedBy != rules.EnforcedByBrowser || len(e.Matches)+len(e.CSP.Sources)+len(e.ConnectionAllowlist) > 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Who enforces a verdict, for each way in which it can come about.
func TestExplainSaysWhoEnforces(t *testing.T) {
	f := judge(t, "rules:\n  - {id: exact, allow: 'https://a.example.com/v1/**'}\n  - {id: wide, methods: [GET], allow: https://b.example.com}\n"+
		"  - {id: cut, block: https://b.example.com/secret}\n  - {id: away, block: https://c.example.com}\n  - {id: live, allow: wss://a.example.com}")
	for _, c := range []struct {
		method, url string
		kind        rules.Type
		verdict     rules.Action
		by          rules.Enforcer
		sources     string
	}{
		{"PUT", "https://a.example.com/v1/x", rules.TypeFetch, rules.Allow, rules.EnforcedByBrowser, "https://a.example.com/v1/"},
		{"GET", "https://b.example.com/", rules.TypeImage, rules.Allow, rules.EnforcedByWorker, "https://b.example.com"},
		{"PUT", "https://b.example.com/", rules.TypeImage, rules.Block, rules.EnforcedByWorker, "https://b.example.com"},
		{"GET", "https://b.example.com/secret", rules.TypeFetch, rules.Block, rules.EnforcedByWorker, "https://b.example.com"},
		{"GET", "https://c.example.com/", rules.TypeFetch, rules.Block, rules.EnforcedByBrowser, ""},
		{"GET", "https://b.example.com/", rules.TypeFrame, rules.Block, rules.EnforcedByBrowser, ""},
		{"GET", "https://user@b.example.com/", rules.TypeFetch, rules.Block, rules.EnforcedByWorker, "https://b.example.com"},
		{"GET", "wss://a.example.com/", rules.TypeWebSocket, rules.Allow, rules.EnforcedByBrowser, "wss://a.example.com"},
		{"GET", "wss://b.example.com/", rules.TypeWebSocket, rules.Block, rules.EnforcedByBrowser, ""},
		{"GET", "data:,x", rules.TypeFetch, rules.Block, "", "data:"},
		{"GET", "data:,x", rules.TypeScript, rules.Block, rules.EnforcedByBrowser, ""},
		{"GET", "data:," + strings.Repeat("x", 1<<14), rules.TypeImage, rules.Block, "", "data:"},
		{"GET", "https://b.example.com/" + strings.Repeat("x", 1<<14), rules.TypeImage, rules.Block, rules.EnforcedByWorker, "https://b.example.com"},
	} {
		e := f.Explain(firewall.Request{Method: c.method, URL: c.url, Type: c.kind})
		if e.Verdict != c.verdict || e.EnforcedBy != c.by || strings.Join(e.CSP.Sources, " ") != c.sources || e.CSP.Directive != browsermodel.Directive(c.kind) {
			t.Errorf("%s %s %.60s: %s, enforced by %q, %s %q", c.method, c.kind, c.url, e.Verdict, e.EnforcedBy, e.CSP.Directive, e.CSP.Sources)
		}
	}
}

// What an explanation says about the browser's policies agrees with a model of the browser
// that reads the headers. The model does not share code with the explanation.
func TestExplainAgreesWithTheModel(t *testing.T) {
	const draws = 1_000
	random := rand.New(rand.NewPCG(5, 6))
	asked, covered, worker, browser := 0, 0, 0, 0
	for range draws {
		bytes := make([]byte, drawLength)
		for i := range bytes {
			bytes[i] = byte(random.UintN(256))
		}
		d := &dice{bytes}
		text := drawPolicy(d)
		policy, err := rules.Parse("policy.yaml", []byte(text))
		if err != nil {
			continue
		}
		f := firewall.New(policy)
		header := f.Headers(firewall.Inner, site)
		csp := directives(t, header)
		_, patterns := connections(t, header)
		for range 8 {
			rule := &policy.Rules[d.n(len(policy.Rules))]
			pattern := &rule.Patterns[d.n(len(rule.Patterns))]
			raw := drawURL(d, &pattern.Targets[d.n(len(pattern.Targets))])
			switch d.n(6) {
			case 0:
				raw = pick(d, foreignURLs...)
			case 1:
				raw = encode(d, raw)
			case 2:
				raw = strings.Replace(raw, pick(d, "https:", "http:", "wss:"), pick(d, "https:", "http:", "ws:"), 1)
			}
			u, err := browsermodel.ParseURL(raw)
			if err != nil {
				continue
			}
			kind := pick(d, rules.Types...)
			e := f.Explain(firewall.Request{Method: pick(d, "GET", "PUT"), URL: raw, Type: kind})
			asked++
			var sources, allowed []string
			for _, source := range csp[browsermodel.Directive(kind)] {
				if strings.HasPrefix(source, "ws") && strings.HasPrefix(u.Scheme, "http") {
					continue // the model follows the specification here; no browser does
				}
				if allows(t, []string{source}, u) {
					sources = append(sources, source)
				}
			}
			for _, text := range patterns {
				if ok, err := browsermodel.Connects([]string{text}, u); err != nil {
					t.Error(err)
				} else if ok {
					allowed = append(allowed, text)
				}
			}
			if !slices.Equal(e.CSP.Sources, sources) || !slices.Equal(e.ConnectionAllowlist, allowed) {
				t.Fatalf("%s %s\nexplained by %q and %q,\nand the model has %q and %q\n%s", kind, raw, e.CSP.Sources, e.ConnectionAllowlist, sources, allowed, text)
			}
			covered += len(sources)
			switch {
			case e.Verdict == rules.Allow:
			case len(sources) == 0 && e.EnforcedBy == rules.EnforcedByBrowser:
				browser++
			case len(sources) > 0 && e.EnforcedBy == rules.EnforcedByWorker:
				worker++
			default:
				t.Fatalf("%s %s is blocked by %q, and the sources are %q\n%s", kind, raw, e.EnforcedBy, sources, text)
			}
		}
	}
	t.Logf("%d asked, %d sources, blocked by the worker %d and the browser %d", asked, covered, worker, browser)
	if asked < draws*4 || covered < asked/4 || worker < asked/50 || browser < asked/10 {
		t.Error("the draws show too little")
	}
}
