package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/rule"
)

// The service worker never sees two types of requests. No worker sees a WebSocket. The
// document of a frame from another origin is not a subresource. Only the browser's own policy
// (CSP) controls these requests. So a rule about them must say exactly what CSP can say, or it
// would promise more than the browser enforces.

// check reports mistakes that only whole rules can have: rules that no browser can express,
// and contradictions between rules. It reports to the loader.
func (p *Policy) check(l *loader) {
	for i := range p.Rules {
		if l.over() {
			return
		}
		r := &p.Rules[i]
		l.checkRule(r)
		if slices.Contains(r.Types, TypeFrame) && len(r.Methods) > 0 {
			l.at(r.Layer, r.Pos, "delete methods, or write a rule of its own for frames", "the rule names methods for frames; only the browser's frame-src holds frames, and it knows no methods")
		}
	}
	l.checkBlocks(p.Rules)
	for i, layer := range l.layers {
		if p.Mode == ModeAudit && layer.demandedAt != (Pos{}) {
			l.at(i, layer.demandedAt, "write containment: csp, or mode: enforce", "containment: %s in a policy that only audits; an audit contains nothing", layer.demanded)
		}
	}
	if l.workerPreferred != (Pos{}) {
		switch {
		case p.Mode == ModeAudit:
			l.at(0, l.workerPreferred, "delete it, or write mode: enforce", "worker: preferred in a policy that only audits; without the worker nobody sees what an audit is for")
		case !l.workerRequired:
			p.Worker = WorkerPreferred
		}
	}
	for i := range p.Layers {
		if p.Layers[i].Ceiling {
			p.checkCeiling(l, i)
		}
	}
}

// checkCeiling rejects what exceeds a ceiling for every request: ways to run script, and an
// audit, which lets requests pass that no rule allows.
func (p *Policy) checkCeiling(l *loader, ceiling int) {
	bound := l.layers[ceiling]
	for i, layer := range l.layers {
		for _, script := range layer.runs {
			if !p.Layers[i].Ceiling && !slices.Contains(bound.runs, script) {
				l.at(i, layer.runsAt, "leave it out, or add it to the scripts of "+bound.file, "scripts has %s, which the ceiling %s does not allow", script, bound.file)
			}
		}
	}
	if p.Mode == ModeAudit {
		l.at(0, l.modeAt, "write mode: enforce, or do not include the ceiling", "mode: audit in a policy that includes the ceiling %s; an audit lets through what no rule allows", bound.file)
	}
}

// checkRule rejects three kinds of rules: rules about WebSockets or frames that CSP cannot
// express, allow rules that no browser policy can express, and combinations of schemes and
// types that match nothing.
func (l *loader) checkRule(r *Rule) {
	widener := browser.NewWidener(r)
	for _, pattern := range slices.Concat(r.Patterns, r.Except) {
		for i := range pattern.Targets {
			t := &pattern.Targets[i]
			msg, hint := "", ""
			if r.Action == Allow {
				msg, hint = browser.Inexpressible(t)
			}
			if msg == "" {
				msg, hint = browserAlone(r, t, widener)
			}
			if msg == "" && r.Action == Allow && r.Enforce == EnforcedByBrowser {
				msg, hint = notByBrowser(r, t, widener)
			}
			if msg != "" {
				l.at(r.Layer, pattern.Pos, hint, "%s", msg)
				break
			}
		}
	}
}

func browserAlone(r *Rule, t *Target, widener browser.Widener) (msg, hint string) {
	socket := t.WebSocket()
	switch {
	case socket && len(r.Types) > 0 && !slices.Contains(r.Types, TypeWebSocket):
		return fmt.Sprintf("a %s pattern in a rule whose types leave websocket out; it could never match", t.Scheme), "add websocket to types, or move the pattern to a rule of its own"
	case !socket && len(r.Types) == 1 && r.Types[0] == TypeWebSocket:
		return fmt.Sprintf("an %s pattern in a rule for websocket only; it could never match", t.Scheme), fmt.Sprintf("write %s://", map[string]string{"http": "ws", "https": "wss"}[t.Scheme])
	case socket && len(r.Methods) > 0 && !slices.Equal(r.Methods, []string{"GET"}):
		return "methods in a rule for a WebSocket; it is always opened by a GET, and no worker sees it", "delete methods, or move the pattern to a rule of its own"
	}
	who := ""
	switch {
	case socket:
		who = "no worker sees a WebSocket, and the browser's own policy cannot express "
	case slices.Contains(r.Types, TypeFrame):
		who = "only the browser's frame-src holds frames, and it cannot express "
	default:
		return "", ""
	}
	if r.Action == Allow {
		if all := widener.Widenings(t); len(all) > 0 {
			return who + all[0].Why, all[0].Hint
		}
	}
	return "", ""
}

// notByBrowser returns why the browser's own policies cannot express what a rule allows. The
// texts are "" if they can.
func notByBrowser(r *Rule, t *Target, widener browser.Widener) (msg, hint string) {
	const demand = "enforce: browser refuses this: the browser's own policies cannot express "
	const enough = "write enforce: worker in this rule, if the service worker is enough"
	if len(r.Methods) > 0 {
		return demand + "methods", "delete methods, or " + enough
	}
	if all := widener.Widenings(t); len(all) > 0 {
		return demand + all[0].Why, cmp.Or(all[0].Hint, enough)
	}
	return "", ""
}

// checkBlocks rejects a block rule that takes away a part of what an allow rule gives to
// WebSockets or frames. CSP cannot take away.
func (l *loader) checkBlocks(all []Rule) {
	for _, guarded := range []Type{TypeWebSocket, TypeFrame} {
		origins := l.guardedOrigins(all, guarded)
		if len(origins) > maxGuarded {
			last := origins[maxGuarded]
			l.at(last.layer, last.pos, "allow *. a common parent", "more than %d origins are allowed to %s requests; no header has room for as many", maxGuarded, guarded)
			continue
		}
		// The last two labels have no star, so only hosts with the same last two labels can
		// overlap.
		allowed := map[string][]placed{}
		for _, a := range origins {
			allowed[a.owner()] = append(allowed[a.owner()], a)
		}
		type place struct {
			layer int
			pos   Pos
		}
		reported := map[place]bool{}
		for _, block := range l.targetsFor(all, Block, guarded) {
			if l.over() {
				return
			}
			if reported[place{block.layer, block.pos}] {
				continue // reported already for another alternative of the pattern
			}
			for _, allow := range allowed[block.owner()] {
				if overlap(block.Target, allow.Target) {
					reported[place{block.layer, block.pos}] = true
					l.at(block.layer, block.pos, "narrow the allow rule; what it does not name is blocked without a block rule",
						"this blocks some of what %s:%d allows to %s requests, but only the browser's own policy holds these, and it cannot take back what it allows", l.layers[allow.layer].file, allow.pos.Line, guarded)
					break
				}
			}
		}
	}
}

// maxGuarded is the largest number of origins that can be allowed to WebSockets, or to frames.
// More sources do not fit into a header, and these sources are never widened. So the blocks
// beside them need not be compared with more.
const maxGuarded = browser.HeaderBudget / len("ws://a ")

// guardedOrigins returns what is allowed to a type: one target for each origin that no other
// origin covers. Rules that CSP cannot express are already reported.
func (l *loader) guardedOrigins(all []Rule, guarded Type) []placed {
	first := map[browser.Shape]bool{}
	var origins []placed
	for _, a := range l.targetsFor(all, Allow, guarded) {
		if s := browser.ShapeOf(a.Target).Origin(); !first[s] {
			first[s] = true
			origins = append(origins, a)
		}
	}
	return slices.DeleteFunc(origins, func(a placed) bool {
		s := browser.ShapeOf(a.Target).Origin()
		return s.WiderThat(func(w browser.Shape) bool { return w != s && first[w] })
	})
}

// placed is a target with the place of its pattern.
type placed struct {
	*Target
	layer int
	pos   Pos
}

// owner returns the last two labels, or all of a shorter host.
func (t placed) owner() string {
	return rule.JoinLiteral(t.Host.Labels[max(0, len(t.Host.Labels)-2):])
}

// targetsFor returns the targets that the rules allow or block for requests of a type. Rules
// of a ceiling allow nothing.
func (l *loader) targetsFor(all []Rule, action Action, t Type) []placed {
	var some []placed
	for i := range all {
		if all[i].Action != action || !all[i].Covers(t) || action == Allow && l.policy.Layers[all[i].Layer].Ceiling {
			continue
		}
		widener := browser.NewWidener(&all[i])
		for _, pattern := range all[i].Patterns {
			for j := range pattern.Targets {
				target := &pattern.Targets[j]
				if target.WebSocket() == (t == TypeWebSocket) && (action == Block || len(widener.Widenings(target)) == 0) {
					some = append(some, placed{target, all[i].Layer, pattern.Pos})
				}
			}
		}
	}
	return some
}

// overlap reports whether a may block a part of the CSP source of b. It ignores paths, so it
// may report an overlap where there is none. A source for http covers https.
func overlap(a, b *Target) bool {
	return (a.Scheme != b.Scheme || a.Port == 0 || b.Port == 0 || a.Port == b.Port) && hostsOverlap(&a.Host, &b.Host)
}

// matches reports whether the part stands for the label s.
func matches(p Part, s string) bool {
	if !p.Star {
		return s == p.Prefix
	}
	return len(s) >= len(p.Prefix)+len(p.Suffix) && strings.HasPrefix(s, p.Prefix) && strings.HasSuffix(s, p.Suffix)
}

// hostsOverlap compares from the last label to the first. Two labels count as equal if both
// have a star.
func hostsOverlap(a, b *Host) bool {
	n := min(len(a.Labels), len(b.Labels))
	for i := 1; i <= n; i++ {
		x, y := a.Labels[len(a.Labels)-i], b.Labels[len(b.Labels)-i]
		if !x.Star && !matches(y, x.Prefix) || !y.Star && !matches(x, y.Prefix) {
			return false
		}
	}
	switch {
	case a.Sub && b.Sub:
		return true
	case a.Sub:
		return len(b.Labels) > len(a.Labels)
	case b.Sub:
		return len(a.Labels) > len(b.Labels)
	}
	return len(a.Labels) == len(b.Labels)
}
