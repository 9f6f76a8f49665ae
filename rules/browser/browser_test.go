package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

func checkList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	got = slices.Clone(got)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func mustParse(t *testing.T, text string) *rules.Policy {
	t.Helper()
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// Sources that another source covers are not sent. Neither are sources that a block rule
// covers completely.
func TestSourcesAreFew(t *testing.T) {
	policy := mustParse(t, `rules:
  - {types: [fetch], allow: ["https://*.example.com", https://a.example.com, https://a.example.com/v1/**, "https://b.example.com:*", https://b.example.com/x]}
  - {types: [script], allow: [https://a.example.com/lib/**, https://a.example.com/lib/x.js]}
  - {types: [fetch], allow: [https://gone.example.org, "https://half.example.org"]}
  - block: ["https://*.example.net", https://gone.example.org/**]
  - {block: https://half.example.org, methods: [PUT]}
  - {types: [fetch], allow: https://x.example.net/v1/**}
`)
	checkList(t, "connect-src", policy.Browser().Directives["connect-src"], "https://*.example.com", "https://b.example.com:*", "https://half.example.org")
	checkList(t, "script-src", policy.Browser().Directives["script-src"], "https://a.example.com/lib/")
	checkList(t, "the worker's", policy.Browser().Worker, "https://*.example.com", "https://b.example.com:*", "https://half.example.org", "https://a.example.com/lib/")
	checkList(t, "the allowlist", policy.Browser().Patterns, "https://*.example.com/*", "https://b.example.com:*/*", "https://half.example.org/*")
}

func TestAuditOpensWhatTheWorkerSees(t *testing.T) {
	policy := mustParse(t, "mode: audit\nrules:\n  - {allow: wss://live.example.com}\n")
	b := policy.Browser()
	for _, kind := range rules.Types {
		name := browser.Directive(kind)
		want := []string{"https:", "http:"}
		switch kind {
		case rules.TypeFrame:
			want = nil
		case rules.TypeWebSocket, rules.TypeFetch:
			want = append(want, "wss://live.example.com")
		}
		checkList(t, name, b.Directives[name], want...)
	}
	checkList(t, "the allowlist", b.Patterns, "https://*:*/*", "http://*:*/*", "https://live.example.com/*")
	checkList(t, "the worker's allowlist", b.WorkerPatterns, "https://*:*/*", "http://*:*/*")
}

// Over the budget, paths are removed first, then hosts become wider: where that saves most,
// and only as far as needed. Sources that only the browser enforces never become wider.
func TestHeaderBudget(t *testing.T) {
	var text strings.Builder
	fmt.Fprint(&text, "rules:\n  - {id: live, allow: wss://live.example.com/socket/**}\n  - {id: frame, types: [frame], allow: https://big.example/embed/**}\n  - {id: small, types: [fetch], allow: https://small.example/v1/**}\n  - id: paths\n    types: [fetch]\n    allow:\n")
	for i := range 400 {
		fmt.Fprintf(&text, "      - https://big.example/assets/%03d/**\n", i)
	}
	policy := mustParse(t, text.String())
	checkList(t, "with many paths", policy.Browser().Directives["connect-src"], "wss://live.example.com/socket/", "https://small.example/v1/", "https://big.example")
	checkList(t, "frame-src", policy.Browser().Directives["frame-src"], "https://big.example/embed/")
	reporter := rules.NewReporter(policy)
	if r := reporter.Report(3); r.EnforcedBy != rules.EnforcedByWorker || !slices.Contains(r.Wider, "the header would be too long") || r.Sources[0].WidenedSource != "https://big.example" {
		t.Errorf("the rule that was widened is reported as %+v", r.Wider)
	}
	for _, exact := range []int{0, 1, 2} {
		if r := reporter.Report(exact); r.EnforcedBy != rules.EnforcedByBrowser || len(r.Wider) > 0 {
			t.Errorf("rule %s: %s, %v", r.Rule, r.EnforcedBy, r.Wider)
		}
	}

	text.Reset()
	fmt.Fprint(&text, "rules:\n  - {types: [fetch], allow: https://other.example.org}\n  - types: [fetch]\n    allow:\n")
	for i := range 400 {
		fmt.Fprintf(&text, "      - https://customer-%03d.big.example\n", i)
	}
	checkList(t, "with many hosts", mustParse(t, text.String()).Browser().Directives["connect-src"], "https://*.big.example", "https://other.example.org")
}

// Rules with the same source count it once.
func TestHeaderBudgetCountsASourceOnce(t *testing.T) {
	var text strings.Builder
	fmt.Fprint(&text, "rules:\n")
	for domain := range 40 {
		for host := range 8 {
			for path := range 5 {
				fmt.Fprintf(&text, "  - {types: [fetch], allow: https://host%d.domain%02d.example/directory%d/**}\n", host, domain, path)
			}
		}
	}
	size := 0
	sources := mustParse(t, text.String()).Browser().Directives["connect-src"]
	for _, source := range sources {
		size += len(source) + 1
	}
	if size > browser.HeaderBudget || len(sources) < 40 {
		t.Errorf("%d sources with %d bytes", len(sources), size)
	}
}

// The report says who enforces each rule, and why the browser cannot.
func TestReports(t *testing.T) {
	policy := mustParse(t, `rules:
  - {id: exact, allow: https://a.example.com/v1/**}
  - {id: methods, allow: https://b.example.com, methods: [GET]}
  - {id: path, allow: https://c.example.com/*/x}
  - {id: host, allow: https://api-*.d.example.com}
  - {id: http, allow: http://e.example.com}
  - {id: both, allow: [http://f.example.com, https://f.example.com]}
  - {id: cut, allow: https://*.g.example.com}
  - {id: cuts, block: https://x.g.example.com}
  - {id: idle, block: https://nobody.example.com}
  - {id: fetch, allow: https://h.example.com, methods: [GET], types: [fetch]}
  - {id: socket, allow: wss://i.example.com/live}
`)
	const redirect, media = "a redirect leads an image", "Firefox shows the worker no audio or video"
	reporter := rules.NewReporter(policy)
	for i, want := range []struct {
		by    rules.Enforcer
		wider string
		// The beginnings of the texts about browsers without Connection-Allowlist.
		without []string
	}{
		{rules.EnforcedByBrowser, "", []string{redirect}},
		{rules.EnforcedByWorker, "methods", []string{media}},
		{rules.EnforcedByWorker, "a * in a path", []string{redirect, media}},
		{rules.EnforcedByWorker, "a star inside a host", []string{media}},
		{rules.EnforcedByWorker, "http without https: what is allowed for the one, it lets through for the other", []string{media}},
		{rules.EnforcedByBrowser, "", nil},
		{rules.EnforcedByWorker, "a block rule takes something away from it", []string{media}},
		{rules.EnforcedByWorker, "it takes something away from what is allowed, and the browser's policies cannot", []string{media}},
		{rules.EnforcedByBrowser, "", nil},
		{rules.EnforcedByWorker, "methods", nil},
		{rules.EnforcedByBrowser, "", nil},
	} {
		r := reporter.Report(i)
		if r.EnforcedBy != want.by || strings.Join(r.Wider, "; ") != want.wider {
			t.Errorf("%s: %s, %q; want %s, %q", r.Rule, r.EnforcedBy, r.Wider, want.by, want.wider)
		}
		if !slices.EqualFunc(r.WithoutAllowlist, want.without, strings.HasPrefix) {
			t.Errorf("%s: without Connection-Allowlist %q; want %q", r.Rule, r.WithoutAllowlist, want.without)
		}
	}
}
