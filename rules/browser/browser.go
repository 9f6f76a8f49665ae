package browser

import (
	"fmt"
	"slices"

	"github.com/bellglass/bellglass/rules/rule"
)

// HeaderBudget is how many bytes of a Content-Security-Policy, and as many of a
// Connection-Allowlist, a policy's rules may take. Browsers accept 255 KiB of
// headers (measured in Chromium 156), but many a proxy stops at 8 or 16.
const HeaderBudget = 8 << 10

// Policies is what a browser's own policies say of a policy: wider than the
// rules where they cannot say as much, narrower never. The zero Policies allows
// nothing.
type Policies struct {
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
	dropped map[*rule.Target]bool
	sizes   Sizes
}

// Widened reports whether a source or pattern is wider than its rule because the header
// would be too long otherwise.
func (b *Policies) Widened() bool { return len(b.widened) > 0 }

// Sizes returns how much of each document header the rules take: the very numbers that are
// held against [HeaderBudget].
func (b *Policies) Sizes() Sizes { return b.sizes }

// Directive is the CSP fetch directive that governs a request type in a
// document.
func Directive(t rule.Type) string { return directives[t] }

var directives = map[rule.Type]string{
	rule.TypeFetch:     "connect-src",
	rule.TypeWebSocket: "connect-src",
	rule.TypeScript:    "script-src",
	rule.TypeStyle:     "style-src",
	rule.TypeImage:     "img-src",
	rule.TypeFont:      "font-src",
	rule.TypeMedia:     "media-src",
	rule.TypeFrame:     "frame-src",
	rule.TypeWorker:    "worker-src",
}

// A use is a source or pattern with the request types that it is for.
type use struct {
	shape   Shape
	pattern string
	types   uint32
}

// An Excess says that there is no room for a policy's rules in a header.
type Excess struct {
	Header string
	Bytes  int
}

func (e *Excess) Error() string {
	return fmt.Sprintf("the rules need %d bytes of a %s, even when each is as wide as its registrable domain; %d are allowed, and nothing may be left out", e.Bytes, e.Header, HeaderBudget)
}

// Compile makes what the browser is told of a policy. If there is no room for it, the
// Policies is nil, and each header that is too long is an excess: so many sources need not
// be compared.
func Compile(p *rule.Policy) (*Policies, []*Excess) {
	b := &Policies{Directives: map[string][]string{}, widened: map[string]string{}, dropped: map[*rule.Target]bool{}}
	uses := bound(p, b.uses(p))
	if p.Mode == rule.ModeAudit {
		// What the worker sees and logs may go anywhere.
		var all uint32
		for _, t := range rule.Types {
			if rule.Audited(t) {
				all |= rule.TypeBit(t)
			}
		}
		for _, scheme := range []string{"https", "http"} {
			uses = append(uses, use{shape: Shape{scheme: scheme}, pattern: scheme + "://*:*/*", types: all})
		}
	}
	sources, patterns := collect(uses)
	var excess []*Excess
	for _, list := range []*headerList{sources, patterns} {
		if !list.fit(b.widened) {
			excess = append(excess, &Excess{list.header, list.size().Bytes})
		}
	}
	if len(excess) > 0 {
		return nil, excess
	}
	b.sizes = Sizes{sources.size(), patterns.size()}
	for _, item := range sources.items {
		for i, t := range rule.Types {
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
	return b, nil
}

// unseen are the types of requests that never come to the worker.
var unseen = rule.TypeBit(rule.TypeFrame) | rule.TypeBit(rule.TypeWebSocket)

// uses lists what the allow rules open. A ceiling's give nothing, and what a
// block rule covers wholly need not be opened: it is noted as dropped.
func (b *Policies) uses(p *rule.Policy) []use {
	blocked := blockedHosts(p.Rules)
	var all []use
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Action != rule.Allow || p.Layers[r.Layer].Ceiling {
			continue
		}
		_, types := r.Masks()
		for j := range r.Patterns {
			for k := range r.Patterns[j].Targets {
				t := &r.Patterns[j].Targets[k]
				if blocked.covers(t) {
					b.dropped[t] = true
					continue
				}
				all = append(all, use{ShapeOf(t), urlPattern(t), t.TypesOf(types)})
			}
		}
	}
	return all
}
