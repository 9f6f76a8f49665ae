package rule

import (
	"fmt"
	"slices"
)

// A Rule allows or blocks the requests that match everything that it states.
type Rule struct {
	// ID is unique in the policy. If the file names none, it is rule-N for the Nth rule.
	ID     string
	Action Action
	// Patterns are the patterns of allow or block. There is at least one. Except removes
	// requests from this rule only, and appears only in a block rule.
	Patterns, Except []Pattern
	// Methods are in upper case. An empty list means any method.
	Methods []string
	// Types are the types that the file states. [Rule.Covers] says what an empty list means.
	Types []Type
	// Reason is the text of the key reason, or "".
	Reason string
	// Enforce is browser if the file demands that the browser's own policies enforce the rule
	// exactly.
	Enforce Enforcer
	// Layer is the index of the rule's file in [Policy.Layers].
	Layer int
	Pos   Pos
}

// Pos is a position in the file. Line and Col count from 1. Col counts characters.
type Pos struct{ Line, Col int }

// Covers reports whether the rule applies to requests of type t. A rule that states no types
// covers all types, with one exception: an allow rule must name frame. A framed document from
// another origin brings its own, weaker policy.
func (r *Rule) Covers(t Type) bool {
	if len(r.Types) > 0 {
		return slices.Contains(r.Types, t)
	}
	return slices.Contains(Types, t) && (t != TypeFrame || r.Action == Block)
}

// A Type says what a request is for. Types are coarser than Fetch destinations
// (https://fetch.spec.whatwg.org/#concept-request-destination), so that each type corresponds
// to one CSP directive.
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

// Enforcer says whether the browser or the worker enforces a rule.
type Enforcer string

// The enforcers. A page can end its worker, and some realms have no worker.
const (
	// EnforcedByBrowser means the browser's own policies, in every realm.
	EnforcedByBrowser Enforcer = "browser"
	// EnforcedByWorker means the service worker, for the requests that it sees.
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

// UnmarshalText reads "block" or "allow". Any other text is an error.
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
