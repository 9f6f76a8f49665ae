package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/net/publicsuffix"
)

// Two types of requests never come to the service worker: no worker sees a
// WebSocket, and a frame's document from elsewhere is no subresource. For these
// the browser's own policy (CSP) is the only guard, so a rule about them must
// say exactly what CSP can say, or it would promise more than is kept.

// checkBrowserAlone refuses a rule about WebSockets or frames that CSP cannot
// express, and combinations of schemes and types that match nothing.
func (p *parser) checkBrowserAlone(r *Rule, n *yaml.Node) {
	for _, pattern := range slices.Concat(r.Patterns, r.Except) {
		for i := range pattern.Targets {
			msg, hint := browserAlone(r, &pattern.Targets[i])
			if msg == "" && r.Action == Allow {
				msg, hint = tooWide(&pattern.Targets[i])
			}
			if msg != "" {
				p.report(pattern.Pos.Line, pattern.Pos.Col, hint, "%s", msg)
				break
			}
		}
	}
	if slices.Contains(r.Types, TypeFrame) && len(r.Methods) > 0 {
		p.fail(n, "delete methods, or write a rule of its own for frames", "the rule names methods for frames; only the browser's frame-src holds frames, and it knows no methods")
	}
}

func browserAlone(r *Rule, t *Target) (msg, hint string) {
	socket := t.webSocket()
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
	if what, hint := inexact(t); what != "" {
		return who + what, hint
	}
	return "", ""
}

// tooWide refuses a host whose CSP source would let a page reach names of other
// owners. CSP takes a label with an underscore for no host name, so the source
// is "*." and what follows the label.
func tooWide(t *Target) (msg, hint string) {
	for i := len(t.Host.Labels) - 1; i >= 0 && !t.Host.Labels[i].Star; i-- {
		if !strings.Contains(t.Host.Labels[i].Prefix, "_") {
			continue
		}
		below := joinLiteral(t.Host.Labels[i+1:])
		if suffix, _ := publicsuffix.PublicSuffix(below); suffix == below {
			return fmt.Sprintf("the underscore in label %d of the host; the browser's own policy cannot express it, and would have to allow every name in its place", i+1), "use another host name"
		}
		break
	}
	return "", ""
}

// inexact says what of the target a CSP source cannot express (CSP Level 3,
// section 2.3.1), or "".
func inexact(t *Target) (what, hint string) {
	for i, label := range t.Host.Labels {
		switch {
		case label.Star:
			return "a star inside a host", "only *. at the beginning is possible"
		case label.Prefix[0] == '[':
			return "an IPv6 address", "use a host name"
		case slices.Contains([]byte(label.Prefix), '_'):
			return fmt.Sprintf("the underscore in label %d of the host", i+1), "use another host name"
		}
	}
	for i, segment := range t.Path {
		last := i == len(t.Path)-1
		switch {
		case i == 0 && !last && !segment.Any && !segment.Star && segment.Prefix == "":
			return "a path that begins with two slashes", "the path can be left out, literal, or /dir/**"
		case segment.Any && !last:
			return "a ** that is not at the end of the path", "the path can be left out, literal, or /dir/**"
		case segment.Star:
			return "a * in a path", "the path can be left out, literal, or /dir/**"
		case last && !segment.Any && segment.Prefix == "":
			return "a path that ends in a slash and nothing below it", "write ** after the slash for all below, or leave the path out"
		}
	}
	return "", ""
}

// checkBlocks refuses a block rule that takes something away from what an allow
// rule gives to WebSockets or frames: CSP cannot take away.
func (p *parser) checkBlocks(all []Rule) {
	for _, guarded := range []Type{TypeWebSocket, TypeFrame} {
		// No star stands in the last two labels, so only hosts that share
		// these can overlap.
		allowed := map[string][]placed{}
		for _, a := range targetsFor(all, Allow, guarded) {
			allowed[a.owner()] = append(allowed[a.owner()], a)
		}
		reported := map[Pos]bool{}
		for _, block := range targetsFor(all, Block, guarded) {
			for _, allow := range allowed[block.owner()] {
				if !reported[block.pos] && overlap(block.Target, allow.Target) {
					reported[block.pos] = true
					p.report(block.pos.Line, block.pos.Col, "narrow the allow rule; what it does not name is blocked without a block rule",
						"this blocks some of what line %d allows to %s requests, but only the browser's own policy holds these, and it cannot take back what it allows", allow.pos.Line, guarded)
				}
			}
		}
	}
}

// placed is a target with its pattern's place.
type placed struct {
	*Target
	pos Pos
}

// owner is the last two labels, or all of a shorter host.
func (t placed) owner() string {
	return joinLiteral(t.Host.Labels[max(0, len(t.Host.Labels)-2):])
}

func targetsFor(all []Rule, action Action, t Type) []placed {
	var some []placed
	for i := range all {
		if all[i].Action != action || !all[i].Covers(t) {
			continue
		}
		for _, pattern := range all[i].Patterns {
			for j := range pattern.Targets {
				if target := &pattern.Targets[j]; target.webSocket() == (t == TypeWebSocket) {
					some = append(some, placed{target, pattern.Pos})
				}
			}
		}
	}
	return some
}

// overlap reports whether what a blocks may be in the CSP source of b. It looks
// at no path, so that it rather says yes; and a source for http covers https.
func overlap(a, b *Target) bool {
	return (a.Scheme != b.Scheme || a.Port == 0 || b.Port == 0 || a.Port == b.Port) && hostsOverlap(&a.Host, &b.Host)
}

// hostsOverlap compares from the last label to the first. Two labels that both
// have a star count as equal.
func hostsOverlap(a, b *Host) bool {
	n := min(len(a.Labels), len(b.Labels))
	for i := 1; i <= n; i++ {
		x, y := a.Labels[len(a.Labels)-i], b.Labels[len(b.Labels)-i]
		if !x.Star && !y.match(x.Prefix) || !y.Star && !x.match(y.Prefix) {
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
