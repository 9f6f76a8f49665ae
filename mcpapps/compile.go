package mcpapps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// Options are the operator's choices.
type Options struct {
	// Rules is the name of a policy file that bounds every app: an app gets nothing
	// that the file does not allow. The file must have ceiling: true, and inline under
	// scripts. Open reads it and the files that it includes, for each app. Default: no
	// bound.
	Rules string
	Open  func(name string) ([]byte, error)
	// Profile is the host whose deviations apply. Default: [ProfileSpec].
	Profile Profile
}

// An App is a compiled declaration.
type App struct {
	// Policy has a rule for each list of the declaration: connect-domains,
	// connect-domains-websocket, resource-domains, and frame-domains.
	Policy *rules.Policy
	// Granted is the part of the declaration that is in force, for
	// hostCapabilities.sandbox.csp.
	Granted CSP
	// Cuts are the entries that are not granted.
	Cuts []Cut

	deviation deviation
	baseURI   []string // CSP sources
}

// A Cut is an entry of the declaration that is not granted.
type Cut struct {
	// Field is the list, such as connectDomains.
	Field string `json:"field"`
	Entry string `json:"entry"`
	// Reason completes "not granted:" for the app's author.
	Reason string `json:"reason"`
}

// String returns the cut as one line.
func (c Cut) String() string {
	return fmt.Sprintf("%s: %.100q is not granted: %s", c.Field, c.Entry, c.Reason)
}

// Compile turns a declaration into a policy. Each of bounds is another declaration that
// the app must not exceed. A host can declare twice, in the proxy's address and in
// ui/notifications/sandbox-resource-ready; then both are bounds.
//
// An invalid entry becomes a [Cut], not an error. An error always concerns the options,
// so a caller can check those with the zero CSP.
func Compile(declared CSP, options Options, bounds ...CSP) (*App, error) {
	host, err := options.Profile.deviation()
	if err != nil {
		return nil, err
	}
	declared, ignored := host.apply(declared, options.Profile)
	bounds = slices.Clone(bounds)
	for i, bound := range bounds {
		bounds[i], _ = host.apply(bound, options.Profile)
	}
	entries, cuts := declared.read()
	cuts = append(ignored, cuts...)
	files := newFiles(options, host.list(), bounds)
	kept, cut, policy, err := files.fit(entries)
	if err != nil {
		return nil, fmt.Errorf("mcpapps: the operator's rules cannot bound an app: %w", err)
	}
	cuts = append(cuts, cut...)
	if err := files.checkCeiling(policy); err != nil {
		return nil, err
	}

	// A bound may name a part of what the declaration names, or the other way round.
	for _, bound := range bounds {
		more, _ := bound.read()
		for _, e := range more {
			if !slices.Contains(entries, e) && !slices.Contains(kept, e) {
				kept = append(kept, e)
			}
		}
	}
	fire := firewall.New(policy)
	granted := slices.DeleteFunc(kept, func(e entry) bool {
		if allows(fire, e) && inAll(append([]CSP{declared}, bounds...), e) {
			return false
		}
		cuts = append(cuts, Cut{e.field, e.text, "it exceeds what the proxy's address, the host's message and the operator's rules all allow"})
		return true
	})
	app := &App{Policy: policy, Granted: csp(granted), Cuts: cuts, deviation: host}
	for _, e := range granted {
		if e.field == baseURIDomains {
			app.baseURI = append(app.baseURI, strings.Fields(e.sources)...)
		}
	}
	return app, nil
}

func firstMistake(err error) string {
	if mistakes, ok := errors.AsType[rules.Errors](err); ok {
		return mistakes[0].Msg
	}
	return err.Error()
}

// allows asks the compiled policy whether the entry is in force.
func allows(fire *firewall.Firewall, e entry) bool {
	return !slices.ContainsFunc(e.types(), func(t rules.Type) bool {
		return fire.Decide(firewall.Request{Method: "GET", URL: e.sample(), Type: t}).Action != rules.Allow
	})
}

// inAll reports whether all declarations contain the entry. It compares text, because
// no rule governs the base element.
func inAll(declarations []CSP, e entry) bool {
	return e.field != baseURIDomains || !slices.ContainsFunc(declarations, func(c CSP) bool { return !slices.Contains(c.BaseURIDomains, e.text) })
}

// Baseline returns what the app's document may load without a rule: the restrictive
// default of the specification, or of the profile.
func (a *App) Baseline() firewall.Baseline { return a.deviation.baseline(a.baseURI) }
