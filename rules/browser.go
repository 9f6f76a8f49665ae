package rules

import (
	"slices"
	"strings"
)

// HeaderBudget is how many bytes of a Content-Security-Policy, and as many of a
// Connection-Allowlist, a policy's rules may take. Browsers accept 255 KiB of
// headers (measured in Chromium 156), but many a proxy stops at 8 or 16.
const HeaderBudget = 8 << 10

// Browser is what a browser's own policies say of a policy: wider than the
// rules where they cannot say as much, narrower never. The zero Browser allows
// nothing.
type Browser struct {
	// Directives are the sources that the rules open, by CSP fetch directive.
	Directives map[string][]string
	// Worker are the sources of the worker script's connect-src. A worker's own
	// requests obey this policy and not the page's, and of it only connect-src,
	// whatever the request's destination is.
	Worker []string
	// Patterns and WorkerPatterns are the URLPattern strings of the
	// Connection-Allowlist of a document and of the worker's script, which opens
	// no WebSocket. The header knows no request types.
	Patterns, WorkerPatterns []string

	// widened maps a source or pattern to the one that took its place for want
	// of room.
	widened map[string]string
	// dropped are the patterns' targets that a block rule covers.
	dropped map[*Target]bool
}

// Widened reports whether a source or pattern is wider than its rule because the header
// would be too long otherwise.
func (b *Browser) Widened() bool { return len(b.widened) > 0 }

// Directive is the CSP fetch directive that governs a request type in a
// document.
func Directive(t Type) string { return directives[t] }

var directives = map[Type]string{
	TypeFetch:     "connect-src",
	TypeWebSocket: "connect-src",
	TypeScript:    "script-src",
	TypeStyle:     "style-src",
	TypeImage:     "img-src",
	TypeFont:      "font-src",
	TypeMedia:     "media-src",
	TypeFrame:     "frame-src",
	TypeWorker:    "worker-src",
}

// compile makes what decides and what the browser is told, and runs the tests.
func (p *Policy) compile(l *loader) {
	program, err := buildProgram(p)
	if err != nil {
		l.limit(err)
		return
	}
	p.program = program
	if l.over() {
		return
	}
	before := l.mistakes
	if p.browser = p.compileBrowser(l); l.mistakes == before {
		p.checkEnforced(l)
		p.compileWithoutWorker(l)
	}
	p.runTests(l)
}

// checkEnforced refuses rules that demand the browser and are held by the worker
// because of other rules; checkRule has looked at each by itself.
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

func (l *loader) limit(err *limitError) {
	layer := 0
	for i := range l.policy.Rules {
		if r := &l.policy.Rules[i]; slices.ContainsFunc(r.Patterns, func(p Pattern) bool { return p.Pos == err.pattern.Pos && p.Source == err.pattern.Source }) {
			layer = r.Layer
		}
	}
	l.at(layer, err.pattern.Pos, "write fewer, wider patterns", "%s", err.msg)
}

// A use is a source or pattern with the request types that it is for.
type use struct {
	shape   shape
	pattern string
	types   uint32
}

// compileBrowser reports what there is no room for in a header, and then tells the
// browser nothing: so many sources need not be compared.
func (p *Policy) compileBrowser(l *loader) *Browser {
	b := &Browser{Directives: map[string][]string{}, widened: map[string]string{}, dropped: map[*Target]bool{}}
	uses := p.bound(p.uses(b))
	if p.Mode == ModeAudit {
		// What the worker sees and logs may go anywhere.
		var all uint32
		for _, t := range Types {
			if audited(t) {
				all |= typeBit(t)
			}
		}
		for _, scheme := range []string{"https", "http"} {
			uses = append(uses, use{shape: shape{scheme: scheme}, pattern: scheme + "://*:*/*", types: all})
		}
	}
	sources, patterns := collect(uses)
	before := l.mistakes
	for _, list := range []*headerList{sources, patterns} {
		if !list.fit(b.widened) {
			first := p.Rules[0]
			l.at(first.Layer, first.Pos, "allow fewer hosts, allow *. a common parent, or name types, since each type is a directive of its own",
				"the rules need %d bytes of a %s, even when each is as wide as its registrable domain; %d are allowed, and nothing may be left out", list.size(), list.header, HeaderBudget)
		}
	}
	if l.mistakes > before {
		return nil
	}
	for _, item := range sources.items {
		for i, t := range Types {
			name := directives[t]
			if item.types>>i&1 == 0 {
				continue
			}
			if text := item.text(); !slices.Contains(b.Directives[name], text) {
				b.Directives[name] = append(b.Directives[name], text)
			}
		}
		if text := item.text(); item.types&^unseen != 0 && !slices.Contains(b.Worker, text) {
			b.Worker = append(b.Worker, text)
		}
	}
	for _, item := range patterns.items {
		b.Patterns = append(b.Patterns, item.text())
		if item.types&^unseen != 0 {
			b.WorkerPatterns = append(b.WorkerPatterns, item.text())
		}
	}
	return b
}

// unseen are the types of requests that never come to the worker.
var unseen = typeBit(TypeFrame) | typeBit(TypeWebSocket)

// uses lists what the allow rules open. A ceiling's give nothing, and what a
// block rule covers wholly need not be opened.
func (p *Policy) uses(b *Browser) []use {
	blocked := blockedHosts(p.Rules)
	var all []use
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Action != Allow || p.Layers[r.Layer].Ceiling {
			continue
		}
		_, types := ruleMasks(r)
		for j := range r.Patterns {
			for k := range r.Patterns[j].Targets {
				t := &r.Patterns[j].Targets[k]
				if blocked.covers(t) {
					b.dropped[t] = true
					continue
				}
				all = append(all, use{shapeOf(t), t.urlPattern(), typesOf(t, types)})
			}
		}
	}
	return all
}

// typesOf leaves of a rule's types those that a target of this scheme can have.
func typesOf(t *Target, types uint32) uint32 {
	if t.webSocket() {
		return types & typeBit(TypeWebSocket)
	}
	return types &^ typeBit(TypeWebSocket)
}
