package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/bellglass/bellglass/rules/rule"
)

// A Widening is a part of a target that a CSP source cannot express.
type Widening struct {
	Why string
	// Hint says what to write instead, or is "" if there is no advice.
	Hint string
}

// A Widener finds what the CSP sources of one rule cannot express.
type Widener struct {
	// secure are the rule's targets with a secure scheme. It is nil if all schemes are secure.
	secure map[string]bool
}

// NewWidener returns the widener of a rule.
func NewWidener(r *rule.Rule) Widener {
	if !slices.ContainsFunc(r.Patterns, func(p rule.Pattern) bool { return rule.Secure[p.Targets[0].Scheme] != "" }) {
		return Widener{}
	}
	secure := map[string]bool{}
	for _, pattern := range r.Patterns {
		for i := range pattern.Targets {
			if t := &pattern.Targets[i]; rule.Secure[t.Scheme] == "" {
				secure[t.String()] = true
			}
		}
	}
	return Widener{secure}
}

// Widenings returns what a CSP source cannot express of a target of the rule. If the rule also
// names the secure form of the target, the source is exact for both.
func (w Widener) Widenings(t *rule.Target) []Widening {
	all := widenings(t)
	if s := rule.Secure[t.Scheme]; s != "" {
		twin := *t
		if twin.Scheme = s; t.Port == rule.DefaultPort(t.Scheme) {
			twin.Port = rule.DefaultPort(s)
		}
		if w.secure[twin.String()] {
			return all[1:]
		}
		all[0] = Widening{
			fmt.Sprintf("%s without %s: what is allowed for the one, it lets through for the other", t.Scheme, s),
			fmt.Sprintf("name both: [%s, %s]", t, &twin),
		}
	}
	return all
}

// Exact reports whether the target means the same as its shape, apart from the scheme.
func Exact(t *rule.Target) bool {
	what, _ := inexactPath(t.Path)
	return what == "" && !slices.ContainsFunc(t.Host.Labels, func(p rule.Part) bool { return p.Star || strings.Contains(p.Prefix, "_") })
}

// widenings returns what a CSP source cannot express of the target by itself.
func widenings(t *rule.Target) []Widening {
	var all []Widening
	add := func(why, hint string) { all = append(all, Widening{why, hint}) }
	if s := rule.Secure[t.Scheme]; s != "" {
		add("a source for "+t.Scheme+" also lets "+s+" through", "")
	} else if t.Port == 80 {
		// A browser may treat a request to port 443 as an upgraded one to port 80.
		add("a source with port 80 may also let port 443 through", "use another port")
	}
	for i, label := range t.Host.Labels {
		switch {
		case label.Star:
			add("a star inside a host", "only *. at the beginning is possible")
		case strings.Contains(label.Prefix, "_"):
			add("the underscore in label "+strconv.Itoa(i+1)+" of the host", "use another host name")
		default:
			continue
		}
		break
	}
	if what, hint := inexactPath(t.Path); what != "" {
		add(what, hint)
	}
	return all
}

func inexactPath(path []rule.Segment) (what, hint string) {
	const possible = "the path can be left out, literal, or /dir/**"
	for i, segment := range path {
		last := i == len(path)-1
		switch {
		case i == 0 && !last && !segment.Any && !segment.Star && segment.Prefix == "":
			return "a path that begins with two slashes", possible
		case segment.Any && !last:
			return "a ** that is not at the end of the path", possible
		case segment.Star:
			return "a * in a path", possible
		case last && !segment.Any && segment.Prefix == "":
			return "a path that ends in a slash and nothing below it", "write ** after the slash for all below, or leave the path out"
		}
	}
	return "", ""
}

// Inexpressible returns why CSP has no source for a target, and a hint, or "".
//
// There is no source for an IPv6 address. For some hosts the only source would let a page
// reach names of other owners, so it is unsafe. (In CSP, a label with an underscore is not a
// host name, so the source is "*." and the labels after it.)
func Inexpressible(t *rule.Target) (msg, hint string) {
	if t.Host.Labels[0].Prefix != "" && t.Host.Labels[0].Prefix[0] == '[' {
		return "an IPv6 address in an allow rule; no source of a Content-Security-Policy can name one, so the browser would block it", "use a host name or an IPv4 address"
	}
	for i := len(t.Host.Labels) - 1; i >= 0 && !t.Host.Labels[i].Star; i-- {
		if !strings.Contains(t.Host.Labels[i].Prefix, "_") {
			continue
		}
		below := rule.JoinLiteral(t.Host.Labels[i+1:])
		if suffix, _ := publicsuffix.PublicSuffix(below); suffix == below {
			return fmt.Sprintf("the underscore in label %d of the host; the browser's own policy cannot express it, and would have to allow every name in its place", i+1), "use another host name"
		}
		break
	}
	return "", ""
}
