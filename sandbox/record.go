package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// MaxText is the maximum length, in bytes, of a browser's text in the log. Longer texts are
// cut.
const MaxText = 8 << 10

// clip cuts a text to MaxText bytes at a character boundary.
func clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	cut := MaxText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// RecordVerdict adds the worker's verdict on a request. judged is the request type that the
// worker used. The event's revision and execution are those that the worker names. The log
// sets the rest of the event's head.
func (sb *Sandbox) RecordVerdict(v protocol.VerdictEvent, judged rules.Type) {
	event := protocol.VerdictEvent{
		Method: clip(v.Method), URL: clip(v.URL), Destination: clip(v.Destination), Virtual: v.Virtual, Status: v.Status, Opaque: v.Opaque,
		Verdict: protocol.Verdict{Action: v.Action, Rule: clip(v.Rule), Code: clip(v.Code), Reason: clip(v.Reason), File: clip(v.File), Line: v.Line},
	}
	if event.Action != protocol.ActionAllow {
		event.Action = protocol.ActionBlock
		if !v.Virtual {
			event.Directive = browser.Directive(judged)
			event.Remedy = sb.advise(event.Directive, v.Method, v.URL)
		}
		sb.logBlock(event.Method, event.URL, protocol.SourceWorker, event.Verdict)
	}
	if event.Failed() {
		sb.logFailure(event)
	}
	x := sb.executions.find(v.Execution)
	sb.log.append(v.Revision, func(h protocol.Head) any {
		// The server's clock sets the time, so that all events of the log are in order.
		h.Source, h.Execution = protocol.SourceWorker, x.name()
		event.Head = h
		return event
	})
	x.note(event)
}

// RecordLeaving adds that the sandbox's frame tried to navigate to another origin, as the
// outer frame of this view reports.
func (sb *Sandbox) RecordLeaving(view string, r protocol.ViolationReport) {
	sb.recordViolation(r, protocol.SourceOuter, reporter{view: view})
}

// recordViolation adds a request that the browser refused. The browser says only that its
// policy forbids the request, so recordViolation adds the verdict of the sandbox's policy. It
// returns the event. It does not note the event in an execution.
func (sb *Sandbox) recordViolation(r protocol.ViolationReport, source protocol.Source, from reporter) protocol.ViolationEvent {
	v, _ := sb.Version()
	event := protocol.ViolationEvent{Target: clip(r.Target), Directive: clip(r.Directive), Place: sb.original(clipPlace(r.Place))}
	verdict, isFeature := featureVerdict(r.Directive, v.Grants)
	if !isFeature {
		verdict = verdictOf(v.Firewall, r.Target, r.Directive)
		if sb.withoutWorker.Load() && v.WithoutWorker != nil {
			verdict = verdictWithoutWorker(v, r)
		}
	}
	event.Verdict = verdict
	switch {
	case source == protocol.SourceOuter, r.Directive == navigationDirective:
		event.Verdict = protocol.Verdict{Action: protocol.ActionBlock, Code: "navigation", Reason: "a sandbox cannot navigate to another origin"}
		if source == protocol.SourceOuter {
			event.Remedy = sb.adviseLeaving()
		}
	case !isFeature && r.Directive != allowlistDirective:
		event.Remedy = sb.advise(r.Directive, "", r.Target)
	}
	sb.logBlock(event.Directive, event.Target, source, event.Verdict)
	sb.log.append(v.Revision, func(h protocol.Head) any {
		from.mark(&h, source)
		event.Head = h
		return event
	})
	return event
}

func verdictOf(fire *firewall.Firewall, target, directive string) protocol.Verdict {
	block := protocol.Verdict{Action: protocol.ActionBlock, Code: "browser"}
	kind := firewall.TypeOf(directive, target)
	if key, ok := scriptsKey[target]; ok && slices.Contains(scriptsTypes, kind) && !slices.Contains(fire.Policy().Scripts, key) {
		block.Code, block.Reason = "scripts", fmt.Sprintf("the policy does not list %q under scripts", key)
		return block
	}
	if u, err := url.Parse(target); err != nil || u.Host == "" {
		block.Reason = fmt.Sprintf("the browser's policy forbids it (%s)", directive)
		return block
	}
	verdict := fire.Decide(firewall.Request{Method: "GET", URL: target, Type: kind})
	if verdict.Action == rules.Allow {
		block.Reason = fmt.Sprintf("rule %s allows it now, but the document was loaded under an earlier policy or the page has a stricter one of its own", verdict.Rule)
		return block
	}
	block.Rule, block.Code, block.Reason = verdict.Rule, string(verdict.Code), verdict.Reason
	block.File, block.Line = verdict.File, verdict.Line
	return block
}

// verdictWithoutWorker does what verdictOf does, for a browser that does not start the worker.
func verdictWithoutWorker(v Version, r protocol.ViolationReport) protocol.Verdict {
	kind := firewall.TypeOf(r.Directive, r.Target)
	request := firewall.Request{Method: "GET", URL: r.Target, Type: kind}
	with := v.Firewall.Decide(request)
	if with.Action != rules.Allow || v.WithoutWorker.Decide(request).Action == rules.Allow {
		return verdictOf(v.Firewall, r.Target, r.Directive)
	}
	return protocol.Verdict{
		Action: protocol.ActionBlock, Rule: with.Rule, Code: "no-worker", File: with.File, Line: with.Line,
		Reason: fmt.Sprintf("rule %s allows it, but only a service worker can hold that rule, and this browser gives the sandbox none", with.Rule),
	}
}

// scriptsKey maps the keyword that a violation names instead of a URL (CSP Level 3, section
// 5.5) to the word under scripts in a policy that would allow it.
var scriptsKey = map[string]rules.Script{
	"inline":    rules.ScriptInline,
	"eval":      rules.ScriptEval,
	"wasm-eval": rules.ScriptWasm,
	"blob":      rules.ScriptBlob,
}

// scriptsTypes are the request types that scripts in a policy covers. If a style or an image
// is refused without a URL, a policy of the page itself refused it.
var scriptsTypes = []rules.Type{rules.TypeScript, rules.TypeWorker, rules.TypeFrame}

// levels are the levels that a console line may have.
var levels = []protocol.Level{protocol.LevelDebug, protocol.LevelLog, protocol.LevelInfo, protocol.LevelWarn, protocol.LevelError}

// recordConsole adds a console line. It rejects an unknown level: levels are not clipped, so a
// level of megabytes would displace everything else in the log.
func (sb *Sandbox) recordConsole(r protocol.ConsoleReport, from reporter) error {
	if !slices.Contains(levels, r.Level) {
		return fmt.Errorf("a console line has the unknown level %.20q", r.Level)
	}
	event := protocol.ConsoleEvent{Level: r.Level, Text: clip(r.Text), Place: sb.original(clipPlace(r.Place))}
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		from.mark(&h, protocol.SourcePage)
		event.Head = h
		return event
	})
	from.execution.note(event)
	return nil
}

func (sb *Sandbox) recordError(r protocol.ErrorReport, from reporter) {
	event := protocol.ErrorEvent{Text: clip(r.Text), Stack: sb.originals(clip(r.Stack)), Place: sb.original(clipPlace(r.Place))}
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		from.mark(&h, protocol.SourcePage)
		event.Head = h
		return event
	})
	from.execution.note(event)
}

// RecordDropped adds that a browser had to drop count events. It does nothing if count is not
// positive.
func (sb *Sandbox) RecordDropped(count int, source protocol.Source) {
	sb.recordDropped(count, source, "")
}

func (sb *Sandbox) recordDropped(count int, source protocol.Source, view string) {
	if count <= 0 {
		return
	}
	sb.registry.config.Observer.Dropped(count)
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source, h.View = source, view
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepDropped, Text: fmt.Sprintf("%d events were dropped: there were too many at once", count)}
	})
}

func clipPlace(p protocol.Place) protocol.Place {
	p.URL = clip(p.URL)
	return p
}

// logFailure logs a request that was allowed and failed.
func (sb *Sandbox) logFailure(e protocol.VerdictEvent) {
	if e.Missing() {
		sb.lines.warn("not found", "what", e.Method, "url", e.URL, "reason", e.Reason)
		return
	}
	sb.lines.warn("failed", "what", e.Method, "url", e.URL, "status", e.Status, "rule", e.Rule, "code", e.Code, "reason", e.Reason)
}

func (sb *Sandbox) logBlock(what, target string, source protocol.Source, r protocol.Verdict) {
	sb.lines.warn("blocked", "what", what, "url", target, "source", source,
		"rule", r.Rule, "code", r.Code, "reason", r.Reason, "file", r.File, "line", r.Line)
}
