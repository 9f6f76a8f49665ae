package browser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// A Report says what a rule becomes in the browser's policies, and who enforces it.
type Report struct {
	Rule   string      `json:"rule"`
	File   string      `json:"file"`
	Line   int         `json:"line"`
	Action rule.Action `json:"action"`
	// EnforcedBy is browser if the browser's own policies enforce the rule exactly, in every
	// realm. In browsers without Connection-Allowlist, the exceptions in WithoutAllowlist
	// apply.
	EnforcedBy rule.Enforcer `json:"enforcedBy"`
	// Wider says what the browser's policies cannot express, so that the worker must enforce
	// it. It is empty if they are exact.
	Wider []string `json:"wider"`
	// WithoutAllowlist says what nothing enforces in a browser without Connection-Allowlist.
	WithoutAllowlist []string `json:"withoutAllowlist"`
	// Sources are the sources that an allow rule opens, one for each alternative of its
	// patterns. They are empty for a block rule, which opens nothing.
	Sources []RuleSource `json:"sources"`
}

// A RuleSource is the source of one alternative of a pattern.
type RuleSource struct {
	// Target is the alternative, written as a pattern.
	Target string `json:"target"`
	// Directives are the CSP directives of a document that contain the source.
	Directives []string `json:"directives"`
	Source
	// WidenedSource and WidenedPattern replaced the source and pattern, because the header
	// would have been too long. They are "" otherwise.
	WidenedSource  string `json:"widenedSource"`
	WidenedPattern string `json:"widenedPattern"`
	// Dropped means that a block rule covers it completely, so no browser is told about it.
	Dropped bool `json:"dropped"`

	hasPath bool // the source has a path, and redirects are followed
}

// Reporter makes the reports of a policy.
type Reporter struct {
	policy   *rule.Policy
	policies *Policies
	// The hosts that allow rules open, and the hosts that block rules take away.
	opened, taken hosts
}

// NewReporter returns a reporter for a policy and the policies that [Compile] made from it.
func NewReporter(p *rule.Policy, b *Policies) *Reporter {
	r := &Reporter{policy: p, policies: b}
	for i := range p.Rules {
		set := &r.taken
		if p.Rules[i].Action == rule.Allow {
			set = &r.opened
		}
		for j := range p.Rules[i].Patterns {
			for k := range p.Rules[i].Patterns[j].Targets {
				if t := &p.Rules[i].Patterns[j].Targets[k]; !b.dropped[t] {
					set.add(t)
				}
			}
		}
	}
	return r
}

// Report returns the report on the policy's rule with the index.
func (r *Reporter) Report(index int) Report {
	of := &r.policy.Rules[index]
	report := Report{
		Rule: of.ID, File: r.policy.Layers[of.Layer].File, Line: of.Pos.Line, Action: of.Action,
		EnforcedBy: rule.EnforcedByBrowser, Wider: []string{}, WithoutAllowlist: []string{}, Sources: []RuleSource{},
	}
	if of.Action == rule.Block {
		r.block(of, &report)
	} else {
		r.allow(of, &report)
	}
	if len(report.Wider) > 0 {
		report.EnforcedBy = rule.EnforcedByWorker
	}
	report.withoutAllowlist(of)
	return report
}

// What gets past a rule in browsers without Connection-Allowlist. Measured in Firefox 153, and
// in WebKitGTK 2.50 for images, scripts, media, and frames.
const (
	anyPathAfterRedirect = "a redirect leads an image, a script, a style sheet, media, a frame, and what an about:blank frame asks for, to any path of a source that the policy opens"
	mediaUnseen          = "Firefox shows the worker no audio or video of another origin without crossorigin"
)

func (r *Report) withoutAllowlist(of *rule.Rule) {
	hasPath := slices.ContainsFunc(r.Sources, func(s RuleSource) bool { return !s.Dropped && s.hasPath })
	if of.Action == rule.Allow && hasPath {
		r.WithoutAllowlist = append(r.WithoutAllowlist, anyPathAfterRedirect)
	}
	if r.EnforcedBy == rule.EnforcedByWorker && of.Covers(rule.TypeMedia) {
		r.WithoutAllowlist = append(r.WithoutAllowlist, mediaUnseen)
	}
}

func (r *Report) wider(why string) {
	if !slices.Contains(r.Wider, why) {
		r.Wider = append(r.Wider, why)
	}
}

// block reports on a block rule. The browser blocks everything that no rule opens. If an allow
// rule opens a part of it, only the worker can block that part.
func (r *Reporter) block(of *rule.Rule, report *Report) {
	for j := range of.Patterns {
		for k := range of.Patterns[j].Targets {
			if r.policy.Mode == rule.ModeAudit || r.opened.meets(&of.Patterns[j].Targets[k]) {
				report.wider("it takes something away from what is allowed, and the browser's policies cannot")
			}
		}
	}
}

func (r *Reporter) allow(of *rule.Rule, report *Report) {
	_, types := of.Masks()
	if len(of.Methods) > 0 {
		report.wider("methods")
	}
	if r.policy.Layers[of.Layer].Ceiling {
		return // it opens nothing
	}
	widener := NewWidener(of)
	for j := range of.Patterns {
		for k := range of.Patterns[j].Targets {
			t := &of.Patterns[j].Targets[k]
			s := RuleSource{Target: t.String(), Source: SourceOf(t), Dropped: r.policies.dropped[t], Directives: []string{}, hasPath: t.Path != nil && !t.WebSocket()}
			s.WidenedSource, s.WidenedPattern = r.policies.widened[s.CSP], r.policies.widened[s.Pattern]
			for i, one := range rule.Types {
				if name := directives[one]; t.TypesOf(types)>>i&1 != 0 && !slices.Contains(s.Directives, name) {
					s.Directives = append(s.Directives, name)
				}
			}
			s.Wider = []string{}
			for _, w := range widener.Widenings(t) {
				s.Wider = append(s.Wider, w.Why)
				report.wider(w.Why)
			}
			if s.WidenedSource != "" {
				report.wider("the header would be too long")
			}
			if !s.Dropped && r.taken.meets(t) {
				report.wider("a block rule takes something away from it")
			}
			report.Sources = append(report.Sources, s)
		}
	}
}

// String describes in one line what the browser makes of the rule.
func (r Report) String() string {
	if len(r.Wider) == 0 {
		return fmt.Sprintf("%s %s: exact, enforced by the browser", r.Action, r.Rule)
	}
	return fmt.Sprintf("%s %s: wider (%s), enforced by the worker", r.Action, r.Rule, strings.Join(r.Wider, "; "))
}
