package rules

import (
	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/program"
	"github.com/bellglass/bellglass/rules/rule"
)

// A Policy is a parsed and validated YAML file. The zero Policy blocks everything.
//
// Only [Parse] and [Load] return policies that allow anything.
type Policy struct {
	rule.Policy

	text    string // of the first layer
	program *program.Program
	browser *browser.Policies
	// withoutWorker is nil unless the worker is preferred.
	withoutWorker *Policy
}

// Text returns the text of the policy's own file as it was read, without the files that it
// includes. For a nil or zero policy it returns [Default].
func (p *Policy) Text() string {
	if p == nil || len(p.Layers) == 0 {
		return string(Default)
	}
	return p.text
}

// Program returns the policy in the form that decides requests. For a nil or zero policy the
// program blocks everything.
func (p *Policy) Program() *program.Program {
	if p == nil || p.program == nil {
		return &program.Program{}
	}
	return p.program
}

// Browser returns what the browser's own policies say. For a nil or zero policy they allow
// nothing.
func (p *Policy) Browser() *browser.Policies {
	if p == nil || p.browser == nil {
		return &browser.Policies{}
	}
	return p.browser
}

// NewReporter returns a Reporter, which tells who enforces each rule of the policy.
func NewReporter(p *Policy) *Reporter { return browser.NewReporter(&p.Policy, p.Browser()) }
