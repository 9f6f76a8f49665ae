package firewall

import (
	"slices"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// An Explanation is a verdict with all that stands behind it. Its JSON is the
// same on the command line and in the HTTP API; a text that is not known is "",
// and no list is null.
type Explanation struct {
	// Verdict is the outcome.
	Verdict rules.Action `json:"verdict"`
	// Rule is the ID of the rule that decided, or "".
	Rule string `json:"rule"`
	// Code is the code of the reason.
	Code rules.Code `json:"code"`
	// Reason is for people.
	Reason string `json:"reason"`
	// File is the policy file that decided.
	File string `json:"file"`
	// Line is where the rule is in the file, or 0 without a rule.
	Line int `json:"line"`
	// CanonicalURL is the URL as the rules compare it.
	CanonicalURL string `json:"canonicalUrl"`
	// EnforcedBy says whether the verdict holds where no worker sees the request.
	// A block is the browser's if no source of the directive covers the URL. What
	// is allowed is the browser's if its policies are no wider than the rule.
	// "" means that nobody blocks: the request never leaves the browser.
	EnforcedBy rules.Enforcer `json:"enforcedBy"`
	// Matches are all rules that match, in the order of the policy.
	Matches []rules.Match `json:"matches"`
	// CSP is what the Content-Security-Policy says of the URL.
	CSP CSPCover `json:"csp"`
	// ConnectionAllowlist are the patterns sent that let the URL through.
	ConnectionAllowlist []string `json:"connectionAllowlist"`

	// Report is the report on the rule that allowed the request, or nil.
	Report *rules.Report `json:"-"`
}

// A CSPCover is the sources sent in one directive that let a URL through.
type CSPCover struct {
	// Directive governs requests of the type in a document, or is "" if none does.
	Directive string `json:"directive"`
	// Sources are those sources of the directive that let the URL through.
	Sources []string `json:"sources"`
}

// Explain judges a request as [Firewall.Decide] does. It says how the verdict came about, and
// what the headers from [Firewall.Headers] do with the request.
func (f *Firewall) Explain(r Request) Explanation {
	policy := f.Policy()
	v := f.Decide(r)
	e := Explanation{
		Verdict: v.Action, Rule: v.Rule, Code: v.Code, Reason: v.Reason, File: v.File, Line: v.Line, CanonicalURL: v.URL,
		Matches: append([]rules.Match{}, policy.Program().Matches(r)...),
		CSP:     CSPCover{browser.Directive(r.Type), []string{}},
		// The browser compares the URL as the page spells it.
		ConnectionAllowlist: browser.CoveringPatterns(policy.Browser().Patterns, r.URL),
	}
	for _, d := range f.innerCSP(Site{}) {
		if d.name == e.CSP.Directive {
			e.CSP.Sources = browser.CoveringSources(d.sources, r.URL)
		}
	}
	e.EnforcedBy = rules.EnforcedByWorker
	switch {
	case v.Action == rules.Allow && v.Code == rules.CodeRule:
		if i := slices.IndexFunc(policy.Rules, func(rule rules.Rule) bool { return rule.ID == v.Rule }); i >= 0 {
			report := rules.NewReporter(policy).Report(i)
			e.Report, e.EnforcedBy = &report, report.EnforcedBy
		}
	case v.Action == rules.Allow: // an audit
	case len(e.CSP.Sources) == 0 && e.CSP.Directive != "":
		e.EnforcedBy = rules.EnforcedByBrowser
	case slices.Contains(e.CSP.Sources, "data:"), slices.Contains(e.CSP.Sources, "blob:"):
		e.EnforcedBy = ""
	}
	return e
}
