package rule

import (
	"fmt"
	"slices"
)

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
