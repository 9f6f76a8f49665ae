package mapping

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// check compares the row with the decisions of the rules.
func (m *mapping) check(t *testing.T, f *firewall.Firewall, refusal error) {
	t.Helper()
	switch {
	case refusal == nil && m.refused != "":
		t.Errorf("the policy is taken, and should be refused because of: %s", m.refused)
	case refusal != nil && (m.refused == "" || !strings.Contains(refusal.Error(), m.refused)):
		t.Errorf("the policy is refused, want %q in\n%v", m.refused, refusal)
	}
	if f == nil {
		return
	}
	differs := len(m.wider)+len(m.onlyCSP)+len(m.onlyAllowlist)+len(m.narrower) > 0
	if differs != (m.why != "") {
		t.Errorf("the headers and the rule differ: %v, and why is %q", differs, m.why)
	}
	exact, withoutAllowlist := true, false
	reporter := rules.NewReporter(f.Policy())
	for i := range f.Policy().Rules {
		report := reporter.Report(i)
		exact = exact && report.EnforcedBy == rules.EnforcedByBrowser
		withoutAllowlist = withoutAllowlist || strings.Contains(strings.Join(report.WithoutAllowlist, "; "), "a redirect")
	}
	seen := map[string]bool{}
	for _, r := range m.requests("http://own.localhost:20000") {
		if seen[r.method+" "+r.target()] {
			t.Errorf("%s: two requests of the row look alike to the canary", r.text)
		}
		seen[r.method+" "+r.target()] = true
		if strings.Contains(r.from, "redirect") != (r.to != "") {
			t.Errorf("%s: redirects have paths with that word, and nothing else has, because all rows share the canary", r.text)
		}
		if after := f.Decide(firewall.Request{Method: r.method, URL: r.to, Type: r.kind}); r.csp && r.to != "" && after.Action == rules.Block && !strings.HasPrefix(r.to, "http://own.") && !withoutAllowlist {
			t.Errorf("%s: the CSP lets the redirect through, to what no rule allows, and no report says so", r.text)
		}
		if r.unjudged {
			continue
		}
		request := firewall.Request{Method: r.method, URL: r.from, Type: r.kind}
		if verdict := f.Decide(request); verdict.Action != r.action {
			t.Errorf("%s: the verdict is %s, want %s: %s", r.text, verdict.Action, r.action, verdict.Reason)
		}
		// The report and the explanation of the rules hold for all browsers. So they may name
		// more than this browser lets through, and never less.
		if exact && r.csp && r.action == rules.Block && !m.spelling {
			t.Errorf("%s: the report says that the browser holds the rules exactly, but the CSP lets through what they do not allow", r.text)
		}
		told := f.Policy().Browser()
		if r.csp && !m.unexplained && len(browser.CoveringSources(told.Directives[browser.Directive(r.kind)], r.from)) == 0 {
			t.Errorf("%s: CoveringSources knows no source of the CSP that lets it through", r.text)
		}
		if r.allowlist && !m.unexplained && len(browser.CoveringPatterns(told.Patterns, r.from)) == 0 {
			t.Errorf("%s: CoveringPatterns knows no pattern of the Connection-Allowlist that lets it through", r.text)
		}
	}
}

// mappingTable returns a table with the numbers of requests that arrived and that were
// blocked, for each row and header.
func mappingTable(runs [][]*mappingRun) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "passed/blocked by\tno policy\tCSP\tallowlist\tof these beyond the rule: both, CSP, allowlist; short of it\twhy")
	for n := range mappings {
		m := &mappings[n]
		if m.refused != "" {
			fmt.Fprintf(w, "%s\trefused\t\t\t\t%s\n", m.name, m.refused)
			continue
		}
		fmt.Fprintf(w, "%s", m.name)
		for i := range variants {
			passed := 0
			for _, r := range runs[i][n].requests {
				if r.arrived {
					passed++
				}
			}
			fmt.Fprintf(w, "\t%d/%d", passed, len(runs[i][n].requests)-passed)
		}
		fmt.Fprintf(w, "\t%d %d %d; %d\t%s\n", len(m.wider), len(m.onlyCSP), len(m.onlyAllowlist), len(m.narrower), m.why)
	}
	w.Flush()
	return b.String()
}
