package browser

import (
	"fmt"
	"slices"

	"github.com/bellglass/bellglass/rules/rule"
)

// HeaderBudget is how many bytes a policy's rules may take in a Content-Security-Policy, and
// again in a Connection-Allowlist. Browsers accept 255 KiB of headers (measured in Chromium
// 156), but many proxies accept only 8 or 16 KiB.
const HeaderBudget = 8 << 10

// Policies is what a browser's own policies say of a policy. They are wider than the rules
// where their syntax cannot express the rules, and never narrower. The zero Policies allows
// nothing.
type Policies struct {
	// Directives are the sources that the rules open, by CSP fetch directive.
	Directives map[string][]string
	// Worker are the sources of the worker script's connect-src. A worker's own requests obey
	// this policy and not the page's. Of this policy only connect-src applies to them,
	// whatever a request's destination is.
	Worker []string
	// Patterns and WorkerPatterns are the URLPattern strings of the Connection-Allowlist: of a
	// document, and of the worker's script, which opens no WebSocket. The header does not
	// distinguish request types.
	Patterns, WorkerPatterns []string

	// widened maps a source or pattern to the wider one that replaced it because the header
	// would have been too long.
	widened map[string]string
	// dropped contains the targets of patterns that a block rule covers.
	dropped map[*rule.Target]bool
	sizes   Sizes
}

// Widened reports whether any source or pattern is wider than its rule because the header
// would have been too long.
func (b *Policies) Widened() bool { return len(b.widened) > 0 }

// Sizes returns how much of each document header the rules take. These are the numbers that
// are compared with [HeaderBudget].
func (b *Policies) Sizes() Sizes { return b.sizes }

// Directive returns the CSP fetch directive that governs a request type in a document.
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

// A use is a source or pattern, with the request types that use it.
type use struct {
	shape   Shape
	pattern string
	types   uint32
}

// An Excess says that a policy's rules do not fit into a header.
type Excess struct {
	Header string
	Bytes  int
}

func (e *Excess) Error() string {
	return fmt.Sprintf("the rules need %d bytes of a %s, even when each is as wide as its registrable domain; %d are allowed, and nothing may be left out", e.Bytes, e.Header, HeaderBudget)
}

// Compile makes a policy's sources and patterns. If they do not fit, the Policies is nil, and
// there is an Excess for each header that is too long. Callers then need not compare so many
// sources.
func Compile(p *rule.Policy) (*Policies, []*Excess) {
	b := &Policies{Directives: map[string][]string{}, widened: map[string]string{}, dropped: map[*rule.Target]bool{}}
	uses := bound(p, b.uses(p))
	if p.Mode == rule.ModeAudit {
		// In an audit, requests that the worker sees and logs may go anywhere.
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

// unseen are the types of requests that the worker never sees.
var unseen = rule.TypeBit(rule.TypeFrame) | rule.TypeBit(rule.TypeWebSocket)

// uses returns what the allow rules open. Allow rules of a ceiling open nothing. A target that
// a block rule covers completely need not be opened. It is recorded in dropped.
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
