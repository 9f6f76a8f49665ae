package rules

import (
	"errors"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/program"
)

// compile makes the compiled forms, and runs the tests.
func (p *Policy) compile(l *loader) {
	if !p.compileForms(l) {
		return
	}
	if p.browser != nil {
		p.checkEnforced(l)
		p.compileWithoutWorker(l)
	}
	p.runTests(l)
}

// compileForms makes the two forms. It reports what does not fit, and returns false if there
// is no program. If the headers have no room for the policy, p.browser is nil.
func (p *Policy) compileForms(l *loader) bool {
	var err error
	if p.program, err = program.Build(&p.Policy); err != nil {
		l.limit(err)
		return false
	}
	if l.over() {
		return false
	}
	var excess []*browser.Excess
	p.browser, excess = browser.Compile(&p.Policy)
	for _, e := range excess {
		first := p.Rules[0]
		l.at(first.Layer, first.Pos, "allow fewer hosts, allow *. a common parent, or name types, since each type is a directive of its own", "%v", e)
	}
	return true
}

// checkEnforced rejects rules that demand enforcement by the browser but need the worker
// because of other rules. checkRule has already checked each rule by itself.
func (p *Policy) checkEnforced(l *loader) {
	var reporter *Reporter
	for i := range p.Rules {
		if l.over() {
			return
		}
		if r := &p.Rules[i]; r.Enforce == EnforcedByBrowser {
			if reporter == nil {
				reporter = NewReporter(p)
			}
			if report := reporter.Report(i); report.EnforcedBy != EnforcedByBrowser {
				l.at(r.Layer, r.Pos, "write enforce: worker, if the service worker is enough",
					"the rule says enforce: browser, but what the browser's own policies can say is wider: %s", strings.Join(report.Wider, "; "))
			}
		}
	}
}

// limit reports the pattern that exceeds a limit.
func (l *loader) limit(err error) {
	var limit *program.LimitError
	if !errors.As(err, &limit) {
		panic(err) // Build returns no other error
	}
	layer := 0
	for i := range l.policy.Rules {
		if r := &l.policy.Rules[i]; slices.ContainsFunc(r.Patterns, func(p Pattern) bool { return p.Pos == limit.Pattern.Pos && p.Source == limit.Pattern.Source }) {
			layer = r.Layer
		}
	}
	l.at(layer, limit.Pattern.Pos, "write fewer, wider patterns", "%s", limit.Msg)
}
