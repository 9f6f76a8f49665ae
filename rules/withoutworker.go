package rules

// WithoutWorker returns what remains of the policy in a browser that refuses the service
// worker: the rules that the browser's own policies hold just as they stand. Its block
// rules are all there. Without a worker nobody holds a rule that is not exact, so such an
// allow rule allows nothing, and such a rule of a ceiling bounds as if it were missing.
// It returns nil, which blocks everything, if the policy requires the worker.
func (p *Policy) WithoutWorker() *Policy {
	if p == nil {
		return nil
	}
	return p.withoutWorker
}

// NeedWorker returns the ids of the allow rules that are not in [Policy.WithoutWorker], in
// the order of the rules. It returns nil if the policy requires the worker.
func (p *Policy) NeedWorker() []string {
	if p.WithoutWorker() == nil {
		return nil
	}
	kept := map[string]bool{}
	for _, r := range p.withoutWorker.Rules {
		kept[r.ID] = true
	}
	needing := []string{}
	for _, r := range p.Rules {
		if !kept[r.ID] {
			needing = append(needing, r.ID)
		}
	}
	return needing
}

// compileWithoutWorker makes the policy of the rules that are exact. An exact rule stays
// exact when others are gone: it shares a header with fewer, and no block meets it.
func (p *Policy) compileWithoutWorker(l *loader) {
	if p.Worker != WorkerPreferred {
		return
	}
	without := *p
	without.Rules, without.Tests, without.program, without.browser = nil, nil, nil, nil
	reporter := NewReporter(p)
	for i, r := range p.Rules {
		if r.Action == Block || reporter.Report(i).EnforcedBy == EnforcedByBrowser {
			without.Rules = append(without.Rules, r)
		}
	}
	if without.compileForms(l) {
		p.withoutWorker = &without
	}
}
