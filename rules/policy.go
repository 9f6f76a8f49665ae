package rules

import (
	"fmt"
	"slices"
)

// A Policy is a parsed and validated YAML file. The zero Policy blocks all.
//
// Only [Parse] and [Load] make one that allows anything.
type Policy struct {
	// Name is the name that [Parse] or [Load] was given, usually a file name.
	Name string
	Mode Mode
	// Containment is what the browser must enforce, or nothing runs.
	Containment Containment
	// Worker says what becomes of a sandbox in a browser that refuses the service worker.
	Worker Worker
	// Layers are the files: the policy's own first, then those that it includes.
	Layers []Layer
	// Scripts broadens which script the browser may run, in file order.
	Scripts []Script
	// Rules are those of all layers, in the order of layers and places, which
	// matters only for which of several matching rules a verdict names.
	Rules []Rule
	Tests []Test

	text    string // of the first layer
	program *Program
	browser *Browser
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
func (p *Policy) Program() *Program {
	if p == nil || p.program == nil {
		return &Program{}
	}
	return p.program
}

// Browser returns what a browser's own policies say of the policy. Of a nil or
// zero policy it allows nothing.
func (p *Policy) Browser() *Browser {
	if p == nil || p.browser == nil {
		return &Browser{}
	}
	return p.browser
}

// Mode says what becomes of a request that no rule matches.
type Mode string

// The modes. The zero value enforces.
const (
	ModeEnforce Mode = "enforce"
	// ModeAudit lets it pass and logs it, so that an author learns what a page
	// wants. It contains nothing.
	ModeAudit Mode = "audit"
)

// Modes lists all modes.
var Modes = []Mode{ModeEnforce, ModeAudit}

// Containment is how much of a policy a browser enforces itself, with or without
// the worker. Which it is, is measured when a view begins.
type Containment string

// The levels. The zero value is csp.
const (
	// ContainmentCSP: Content-Security-Policy, which every browser has. It knows
	// nothing of preconnect, DNS prefetch and WebRTC.
	ContainmentCSP Containment = "csp"
	// ContainmentAllowlist: Connection-Allowlist as well, which leaves WebRTC and
	// hints that outlive their document.
	ContainmentAllowlist Containment = "allowlist"
	// ContainmentFull: nothing gets out. No browser is known to give it.
	ContainmentFull Containment = "full"
)

// Containments lists all levels, each of which is more than those before it.
var Containments = []Containment{ContainmentCSP, ContainmentAllowlist, ContainmentFull}

// Worker says whether a sandbox needs the service worker.
type Worker string

// The needs. The zero value requires it.
const (
	// WorkerRequired: nothing runs in a browser that refuses the worker.
	WorkerRequired Worker = "required"
	// WorkerPreferred: there a sandbox runs under [Policy.WithoutWorker].
	WorkerPreferred Worker = "preferred"
)

// Workers lists both.
var Workers = []Worker{WorkerRequired, WorkerPreferred}

// A Layer is one file of a policy.
type Layer struct {
	File string
	// Ceiling: the layer's allow rules give nothing, and bound what those of
	// other layers give.
	Ceiling bool

	scripts    []Script
	scriptsAt  Pos
	demanded   Containment
	demandedAt Pos // where the file demands more than csp
}

// A Test is a request and the verdict on it that its author expects.
type Test struct {
	Request Request
	Expect  Action
	// Rule is the id of the rule that is to decide, or "" for any.
	Rule  string
	Layer int
	Pos   Pos
}

// Enforcer is who holds a rule.
type Enforcer string

// The enforcers. A page can take its worker down, and some realms have none.
const (
	// EnforcedByBrowser: the browser's own policies, in every realm.
	EnforcedByBrowser Enforcer = "browser"
	// EnforcedByWorker: the service worker, where it sees the request.
	EnforcedByWorker Enforcer = "worker"
)

// Enforcers lists all enforcers.
var Enforcers = []Enforcer{EnforcedByBrowser, EnforcedByWorker}

// Action is the outcome of a decision. The zero value blocks.
type Action uint8

// The two actions.
const (
	Block Action = iota
	Allow
)

// String returns "block" or "allow".
func (a Action) String() string {
	if a == Allow {
		return "allow"
	}
	return "block"
}

// MarshalText writes the action as [Action.String] does.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads "block" or "allow"; anything else is an error.
func (a *Action) UnmarshalText(text []byte) error {
	switch string(text) {
	case "block":
		*a = Block
	case "allow":
		*a = Allow
	default:
		return fmt.Errorf("rules: unknown action %q", text)
	}
	return nil
}

// A Script is a way to run script that a policy must name to have it.
type Script string

// The ways to run script.
const (
	ScriptInline Script = "inline" // <script> elements with text, event handler attributes
	ScriptEval   Script = "eval"   // eval, new Function; includes WebAssembly
	ScriptWasm   Script = "wasm"   // WebAssembly compilation
	ScriptBlob   Script = "blob"   // scripts, workers and frames from blob: URLs
)

// Scripts lists all ways to run script.
var Scripts = []Script{ScriptInline, ScriptEval, ScriptWasm, ScriptBlob}

// A Type says what a request is for. It is coarser than a Fetch destination
// (https://fetch.spec.whatwg.org/#concept-request-destination), so that each
// type is one CSP directive.
type Type string

// The request types.
const (
	TypeFetch     Type = "fetch" // fetch, XMLHttpRequest, EventSource, sendBeacon
	TypeScript    Type = "script"
	TypeStyle     Type = "style"
	TypeImage     Type = "image"
	TypeFont      Type = "font"
	TypeMedia     Type = "media" // audio, video and their tracks
	TypeFrame     Type = "frame" // documents in frames
	TypeWorker    Type = "worker"
	TypeWebSocket Type = "websocket"
)

// Types lists all request types.
var Types = []Type{TypeFetch, TypeScript, TypeStyle, TypeImage, TypeFont, TypeMedia, TypeFrame, TypeWorker, TypeWebSocket}

// A Rule allows or blocks the requests that match all that it states.
type Rule struct {
	// ID is unique in the policy; rule-N for the Nth rule if the file names none.
	ID     string
	Action Action
	// Patterns are those of allow or block, at least one. Except removes
	// requests from this rule only, and stands only in a block rule.
	Patterns, Except []Pattern
	// Methods are upper-case; none means any.
	Methods []string
	// Types are those the file states; see [Rule.Covers] for none.
	Types []Type
	// Reason is the file's own words, or "".
	Reason string
	// Enforce is browser if the file demands that the browser's own policies
	// hold the rule exactly.
	Enforce Enforcer
	// Layer is the index of the rule's file in [Policy.Layers].
	Layer int
	Pos   Pos

	own map[string]bool // see noteOwn
}

// Pos is a place in the file. Both count from 1, columns in characters.
type Pos struct{ Line, Col int }

// Covers reports whether the rule speaks of requests of type t. A rule that
// states no types covers all of them, but for one: an allow rule must name
// frame, because a framed document from elsewhere brings its own, weaker
// policy.
func (r *Rule) Covers(t Type) bool {
	if len(r.Types) > 0 {
		return slices.Contains(r.Types, t)
	}
	return slices.Contains(Types, t) && (t != TypeFrame || r.Action == Block)
}
