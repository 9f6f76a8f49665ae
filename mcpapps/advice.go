package mcpapps

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// An Advisor tells an app's author which change of _meta.ui.csp would allow a refused
// request. It is safe for concurrent use. The app controls what it requests, so an
// Advisor tries at most 32 changes, each of them once.
type Advisor struct {
	meta    CSP
	options Options
	bounds  []CSP

	mu    sync.Mutex
	tried map[Change]*trials
}

// trials are the results of one change to the declaration, one for each scope.
type trials [unbounded + 1]*trial

// A trial is the compiled app, or a sentence that says why there is none.
type trial struct {
	app *App
	why string
}

// A scope says which bounds apply.
type scope int

const (
	allBounds scope = iota
	operatorsRules
	unbounded
)

// NewAdvisor returns the advisor of an app that declares meta and must stay within
// bounds and options. A change of the declaration cannot move those.
func NewAdvisor(meta CSP, options Options, bounds ...CSP) *Advisor {
	return &Advisor{meta: meta, options: options, bounds: bounds, tried: map[Change]*trials{}}
}

const mostChanges = 32

// Advise returns the change that would make the declaration allow r, and a sentence
// that asks for it. A change is a single entry: the origin of the refused URL, and
// nothing wider. If no change helps, Advise returns the zero Change and a sentence that
// says why.
func (a *Advisor) Advise(r Refusal) (Change, string) {
	change, why := r.change()
	if why != "" {
		return Change{}, why
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	before, why := a.compile(Change{}, allBounds)
	if why != "" {
		return Change{}, why
	}
	if before.allows(r) {
		return Change{}, "_meta.ui.csp allows it already, so no change of it helps."
	}
	refused := "Its URL is none that a rule can allow, so no change of _meta.ui.csp helps."
	for within, word := range []string{allBounds: "", operatorsRules: "The host's own csp, in the proxy's address, does not allow it", unbounded: "The operator's rules do not allow it"} {
		after, why := a.compile(change, scope(within))
		if why != "" {
			return Change{}, why
		}
		switch {
		case !after.allows(r):
			if cut := after.cut(change); cut != "" {
				refused = fmt.Sprintf("No change of _meta.ui.csp helps: %s.", cut)
			}
			continue
		case word != "":
			return Change{}, word + ", so no change of _meta.ui.csp helps."
		case after.cutsBeside(change) > before.cutsBeside(change):
			return Change{}, "No change of _meta.ui.csp helps: another of its domains would be cut then."
		}
		return change, fmt.Sprintf("Add %q to %s of _meta.ui.csp.", change.Entry, change.Field)
	}
	return Change{}, refused
}

// compile compiles the declaration with a change. If that fails, it returns a sentence
// for the app's author.
func (a *Advisor) compile(change Change, within scope) (*App, string) {
	tried := a.tried[change]
	if tried == nil {
		if len(a.tried) > mostChanges {
			return nil, fmt.Sprintf("Bellglass has already tried %d other changes for this app.", mostChanges)
		}
		tried = &trials{}
		a.tried[change] = tried
	}
	if tried[within] == nil {
		app, why := a.try(change, within)
		tried[within] = &trial{app, why}
	}
	return tried[within].app, tried[within].why
}

func (a *Advisor) try(change Change, within scope) (*App, string) {
	changed := a.meta.with(change)
	text, err := json.Marshal(changed)
	if err == nil {
		_, err = ParseCSP(text)
	}
	if err != nil {
		return nil, fmt.Sprintf("No change of _meta.ui.csp helps: with one more domain it would be rejected, because %v.", err)
	}
	options, bounds := a.options, a.bounds
	if within != allBounds {
		bounds = nil
	}
	if within == unbounded {
		options = Options{Profile: a.options.Profile}
	}
	app, err := Compile(changed, options, bounds...)
	if err != nil {
		return nil, "The operator's rules cannot be read now, so it is unknown what would help."
	}
	return app, ""
}

// allows asks the compiled policy. Rules do not govern the base element, so the
// spelling of its URL does not matter.
func (a *App) allows(r Refusal) bool {
	if r.Directive != baseURI {
		return firewall.New(a.Policy).Decide(r.request()).Action == rules.Allow
	}
	own, _ := r.change()
	return slices.ContainsFunc(a.Granted.BaseURIDomains, func(text string) bool {
		d, err := parseDomain(text)
		return text == own.Entry || err == nil && d.covers(r.URL)
	})
}

// cut returns why the entry of a change was cut, or "".
func (a *App) cut(c Change) string {
	if i := slices.IndexFunc(a.Cuts, c.isCut); i >= 0 {
		return strings.TrimSuffix(a.Cuts[i].Reason, ".")
	}
	return ""
}

// cutsBeside returns how many other entries were cut.
func (a *App) cutsBeside(c Change) int {
	return len(slices.DeleteFunc(slices.Clone(a.Cuts), c.isCut))
}

func (c Change) isCut(cut Cut) bool { return cut.Field == c.Field && cut.Entry == c.Entry }
