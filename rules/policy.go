package rules

import (
	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/program"
	"github.com/bellglass/bellglass/rules/rule"
)

// A Policy is a parsed and validated YAML file. The zero Policy blocks all.
//
// Only [Parse] and [Load] make one that allows anything.
type Policy struct {
	rule.Policy

	text    string // of the first layer
	program *program.Program
	browser *browser.Policies
	// withoutWorker is nil unless the worker is preferred.
	withoutWorker *Policy
}

// Text returns the text of the policy's own file as it was read, without those
// that it includes. Of a nil or zero policy it is [Default].
func (p *Policy) Text() string {
	if p == nil || len(p.Layers) == 0 {
		return string(Default)
	}
	return p.text
}

// Program returns the policy in the form that decides requests. Of a nil or
// zero policy it blocks all.
func (p *Policy) Program() *program.Program {
	if p == nil || p.program == nil {
		return &program.Program{}
	}
	return p.program
}

// Browser returns what a browser's own policies say of the policy. Of a nil or
// zero policy it allows nothing.
func (p *Policy) Browser() *browser.Policies {
	if p == nil || p.browser == nil {
		return &browser.Policies{}
	}
	return p.browser
}

// NewReporter looks through a policy, to tell who holds which of its rules.
func NewReporter(p *Policy) *Reporter { return browser.NewReporter(&p.Policy, p.Browser()) }
