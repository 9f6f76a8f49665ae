package btcp

import (
	"errors"
	"slices"

	"github.com/bellglass/bellglass/rules"
)

// Options are the operator's choices.
type Options struct {
	// Policy bounds what capabilities open. It has to list eval under scripts. Default:
	// a policy that allows eval and nothing else.
	Policy *rules.Policy
}

// Check returns an error for a policy under which no tool can run.
func (o *Options) Check() error {
	if !slices.Contains(o.Bound().Scripts, rules.ScriptEval) {
		return errors.New("btcp: no tool can run under the policy, because a browser has to compile it: add eval to its scripts")
	}
	return nil
}

// Bound returns the policy that bounds the capabilities.
func (o *Options) Bound() *rules.Policy {
	if o.Policy != nil {
		return o.Policy
	}
	return toolsOnly
}

// toolsOnly lets a browser compile tools, and opens nothing else.
var toolsOnly = func() *rules.Policy {
	p, err := rules.Parse("btcp", []byte("version: 1\nscripts: [eval]\nrules: []\n"))
	if err != nil {
		panic("btcp: " + err.Error())
	}
	return p
}()
