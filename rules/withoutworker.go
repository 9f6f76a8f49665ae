package rules

// WithoutWorker returns the rest of the policy that is in force in a browser that refuses the
// service worker: the rules that the browser's own policies enforce exactly, and all block
// rules. Without a worker nothing enforces a rule that is not exact. Such an allow rule allows
// nothing, and a ceiling without such a rule allows less. If the policy requires the worker,
// WithoutWorker returns nil, which blocks everything.
func (p *Policy) WithoutWorker() *Policy {
	if p == nil {
		return nil
	}
	return p.withoutWorker
}

// NeedWorker returns the ids of the allow rules that are not in [Policy.WithoutWorker], in the
// order of the rules. It returns nil if the policy requires the worker.
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

// compileWithoutWorker makes the policy from the exact rules. An exact rule stays exact when
// others are removed: fewer rules share its header, and no block overlaps it.
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
