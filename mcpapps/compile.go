package mcpapps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// Options are the operator's.
type Options struct {
	// Rules is the name of a policy file that bounds every app: an app gets nothing that
	// this file does not allow. The file must say ceiling: true, and list inline under
	// scripts. Open reads it and the files that it includes, for each app. Default:
	// no bound.
	Rules string
	Open  func(name string) ([]byte, error)
	// Profile is the host whose ways the app meets. Default: [ProfileSpec].
	Profile Profile
}

// An App is what a declaration has become.
type App struct {
	// Policy has a rule for each list of the declaration, with the list's name as its id:
	// connect-domains, connect-domains-websocket, resource-domains and frame-domains.
	Policy *rules.Policy
	// Granted is what remains of the declaration: hostCapabilities.sandbox.csp.
	Granted CSP
	// Cuts are the entries that are not in Granted.
	Cuts []Cut

	deviation deviation
	baseURI   []string // CSP sources
}

// A Cut is an entry that the app does not get.
type Cut struct {
	// Field is the list, such as connectDomains.
	Field string `json:"field"`
	Entry string `json:"entry"`
	// Reason completes "not granted:" for the app's author.
	Reason string `json:"reason"`
}

// String returns the cut in one line.
func (c Cut) String() string {
	return fmt.Sprintf("%s: %.100q is not granted: %s", c.Field, c.Entry, c.Reason)
}

// Compile makes a policy of a declaration. Each of bounds is another declaration that the
// app must not exceed: a host can declare in the proxy's address and again in
// ui/notifications/sandbox-resource-ready, and then both bind.
//
// The error is always one of the options, so a caller can check these with the zero CSP.
// Whatever is wrong with an entry becomes a [Cut].
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

	// A bound may name a part of what the declaration names, and the other way round.
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

// allows asks the compiled policy itself what has become of the entry.
func allows(fire *firewall.Firewall, e entry) bool {
	return !slices.ContainsFunc(e.types(), func(t rules.Type) bool {
		return fire.Decide(firewall.Request{Method: "GET", URL: e.sample(), Type: t}).Action != rules.Allow
	})
}

// inAll: no rule speaks of the base element, so its entries are compared as text.
func inAll(declarations []CSP, e entry) bool {
	return e.field != baseURIDomains || !slices.ContainsFunc(declarations, func(c CSP) bool { return !slices.Contains(c.BaseURIDomains, e.text) })
}

// Baseline is what the app's document may load without a rule: the restrictive default of
// the specification, or of the profile.
func (a *App) Baseline() firewall.Baseline { return a.deviation.baseline(a.baseURI) }
