package mcpapps_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/rules"
)

// operators returns options with a policy file that bounds every app.
func operators(list string) mcpapps.Options {
	return mcpapps.Options{Rules: "all.yaml", Open: func(string) ([]byte, error) {
		return []byte("version: 1\nceiling: true\nscripts: [inline]\nrules:\n" + list), nil
	}}
}

// What an app's author can do about a refusal.
func TestAdvise(t *testing.T) {
	const fetched = "https://api.example.com/v1/x?q"
	many := func(n int, form string) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(form, i))
		}
		return all
	}
	for name, row := range map[string]struct {
		meta           mcpapps.CSP
		options        mcpapps.Options
		bounds         []mcpapps.CSP
		directive, url string
		field, entry   string
		says           string // part of the sentence, if no change helps
	}{
		"fetch":            {directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"fetch, port":      {directive: "connect-src", url: "http://localhost:3000/x", field: "connectDomains", entry: "http://localhost:3000"},
		"private address":  {directive: "connect-src", url: "http://192.168.0.1/x", field: "connectDomains", entry: "http://192.168.0.1"},
		"WebSocket":        {directive: "connect-src", url: "wss://live.example.com/x", field: "connectDomains", entry: "wss://live.example.com"},
		"script":           {directive: "script-src-elem", url: "https://cdn.example.com/x.js", field: "resourceDomains", entry: "https://cdn.example.com"},
		"style":            {directive: "style-src-elem", url: "https://cdn.example.com/x.css", field: "resourceDomains", entry: "https://cdn.example.com"},
		"image":            {directive: "img-src", url: "https://cdn.example.com#x", field: "resourceDomains", entry: "https://cdn.example.com"},
		"font":             {directive: "font-src", url: "https://cdn.example.com/x", field: "resourceDomains", entry: "https://cdn.example.com"},
		"media":            {directive: "media-src", url: "https://cdn.example.com/x", field: "resourceDomains", entry: "https://cdn.example.com"},
		"frame":            {directive: "frame-src", url: "https://www.example.com/x", field: "frameDomains", entry: "https://www.example.com"},
		"base":             {directive: "base-uri", url: "https://www.example.com/x", field: "baseUriDomains", entry: "https://www.example.com"},
		"beside others":    {meta: mcpapps.CSP{ConnectDomains: []string{"https://other.example.com"}}, directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"in another field": {meta: mcpapps.CSP{ResourceDomains: []string{"https://api.example.com"}}, directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"another port":     {meta: mcpapps.CSP{ConnectDomains: []string{"https://api.example.com:444"}}, directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},

		"worker":             {directive: "worker-src", url: "https://cdn.example.com/x.js", says: "no field for workers"},
		"form":               {directive: "form-action", url: "https://www.example.com/", says: "no field for forms"},
		"object":             {directive: "object-src", url: "https://www.example.com/", says: "no field for plugins"},
		"unknown directive":  {directive: "navigate-to", url: "https://www.example.com/", says: "no field for navigate-to"},
		"no directive":       {url: "https://www.example.com/", says: "no field for such requests"},
		"eval":               {directive: "script-src", url: "eval", says: "no field for eval"},
		"WebAssembly":        {directive: "script-src", url: "wasm-eval", says: "no field for WebAssembly"},
		"data":               {directive: "font-src", url: "data", says: `names origins, and "data" has none`},
		"blob":               {directive: "img-src", url: "blob:https://a.example/x", says: "cannot be declared"},
		"IPv6":               {directive: "connect-src", url: "http://[::1]:8080/", says: "IPv6"},
		"user":               {directive: "connect-src", url: "https://u:p@api.example.com/", says: "user name"},
		"a star":             {directive: "connect-src", url: "https://*.example.com/", says: "stands for other hosts"},
		"every host":         {directive: "connect-src", url: "https://*/", says: "names every host"},
		"image by WebSocket": {directive: "img-src", url: "wss://live.example.com/", says: "belongs in connectDomains"},
		"noncanonical":       {directive: "connect-src", url: "https://api.example.com/a%2fb", says: "none that a rule can allow"},

		"declared":            {meta: mcpapps.CSP{ConnectDomains: []string{"https://*.example.com"}}, directive: "connect-src", url: fetched, says: "allows it already"},
		"declared base":       {meta: mcpapps.CSP{BaseURIDomains: []string{"https://*.example.com"}}, directive: "base-uri", url: fetched, says: "allows it already"},
		"the profile's":       {options: mcpapps.Options{Profile: mcpapps.ProfileClaude}, directive: "frame-src", url: "https://www.example.com/x", says: "No change of _meta.ui.csp helps: the profile claude has no frameDomains"},
		"within the profile":  {options: mcpapps.Options{Profile: mcpapps.ProfileClaude}, directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"the operator's":      {options: operators("  - allow: https://other.example.com\n"), directive: "connect-src", url: fetched, says: "operator's rules do not"},
		"the operator's path": {options: operators("  - allow: https://api.example.com/v1/**\n"), directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"of another path":     {options: operators("  - allow: https://api.example.com/v2/**\n"), directive: "connect-src", url: fetched, says: "operator's rules do not"},
		"declared and cut":    {meta: mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}, options: operators("  - allow: https://other.example.com\n"), directive: "connect-src", url: fetched, says: "operator's rules do not"},
		"the host's":          {bounds: []mcpapps.CSP{{ConnectDomains: []string{"https://other.example.com"}}}, directive: "connect-src", url: fetched, says: "host's own csp"},
		"the host's wider":    {bounds: []mcpapps.CSP{{ConnectDomains: []string{"https://*.example.com"}}}, directive: "connect-src", url: fetched, field: "connectDomains", entry: "https://api.example.com"},
		"the host's base":     {bounds: []mcpapps.CSP{{}}, directive: "base-uri", url: fetched, says: "host's own csp"},
		"both":                {options: operators("  []\n"), bounds: []mcpapps.CSP{{}}, directive: "connect-src", url: fetched, says: "operator's rules do not"},
		"full":                {meta: mcpapps.CSP{ConnectDomains: many(mcpapps.MaxCSPEntries, "https://a%d.example")}, directive: "connect-src", url: fetched, says: "at most 256"},
		"no room":             {meta: mcpapps.CSP{ResourceDomains: many(40, "https://long-name-of-a-host-%d.example.com")}, directive: "img-src", url: fetched, says: "room"},
		"no room for others":  {meta: mcpapps.CSP{ConnectDomains: []string{"https://a.example"}, ResourceDomains: many(33, "https://the-long-name-of-a-host-%02d.example.com")}, directive: "connect-src", url: "https://" + strings.Repeat("long.", 40) + "example/", says: "another of its domains would be cut"},
	} {
		t.Run(name, func(t *testing.T) {
			change, advice := mcpapps.NewAdvisor(row.meta, row.options, row.bounds...).Advise(mcpapps.Refusal{Directive: row.directive, URL: row.url})
			if want := (mcpapps.Change{Field: row.field, Entry: row.entry}); change != want {
				t.Errorf("the change is %+v, want %+v (%s)", change, want, advice)
			}
			if row.field != "" {
				row.says = fmt.Sprintf("Add %q to %s of _meta.ui.csp.", row.entry, row.field)
			}
			if !strings.Contains(advice, row.says) || row.says == "" {
				t.Errorf("the advice is %q; want one that contains %q", advice, row.says)
			}
		})
	}
}

// An app that requests ever more hosts stops getting advice, since each change has to
// be compiled.
func TestAdviceIsBounded(t *testing.T) {
	advisor := mcpapps.NewAdvisor(mcpapps.CSP{}, mcpapps.Options{})
	ask := func(i int) mcpapps.Change {
		change, _ := advisor.Advise(mcpapps.Refusal{Directive: "connect-src", URL: fmt.Sprintf("https://a%d.example/", i)})
		return change
	}
	advised := 0
	for i := range 200 {
		if ask(i) != (mcpapps.Change{}) {
			advised++
		}
	}
	if advised != 32 || ask(0).Entry != "https://a0.example" || ask(200) != (mcpapps.Change{}) {
		t.Errorf("of 200 hosts there is advice on %d; of the first %q", advised, ask(0))
	}
}

// The compiled policy is the oracle for the advice. A change consists of one entry, the
// origin of the request; the policy allows the request with it and refuses it without.
// If the advice has no change, adding that origin to any of the lists does not help.
func FuzzAdvise(f *testing.F) {
	directives := []string{"connect-src", "script-src-elem", "style-src-attr", "img-src", "font-src", "media-src", "frame-src", "worker-src", "base-uri", "form-action", ""}
	for i := range directives {
		f.Add([]byte(`{"connectDomains":["https://a.example.com"],"resourceDomains":["https://*.example.com:8443/x/"]}`), i, "https://b.example.com/x?q#f")
		f.Add([]byte(`{}`), i, "wss://b.example.com:1/")
	}
	f.Add([]byte(`{"frameDomains":["http://localhost:*"],"baseUriDomains":["b.example.com"]}`), 6, "http://localhost:1/")
	f.Add([]byte(`{}`), 0, "https://*.example.com/")
	f.Fuzz(func(t *testing.T, text []byte, directive int, url string) {
		declared, err := mcpapps.ParseCSP(text)
		if err != nil || directive < 0 || directive >= len(directives) {
			return
		}
		refusal := mcpapps.Refusal{Directive: directives[directive], URL: url}
		change, advice := mcpapps.NewAdvisor(declared, mcpapps.Options{}).Advise(refusal)
		if advice == "" || !strings.HasSuffix(advice, ".") {
			t.Errorf("the advice is %q", advice)
		}
		before := mustAllow(t, declared, refusal, mcpapps.Change{})
		scheme, rest, isAbsolute := strings.Cut(url, "://")
		host, _, _ := strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host, "?")
		host, _, _ = strings.Cut(host, "#")
		if change != (mcpapps.Change{}) {
			if before || !mustAllow(t, declared, refusal, change) {
				t.Errorf("%q, %+v: %+v; it is allowed before: %v", text, refusal, change, before)
			}
			if change.Entry != scheme+"://"+host || strings.Contains(change.Entry, "*") {
				t.Errorf("%+v: %+v is not the origin of the request", refusal, change)
			}
			return
		}
		if before || !isAbsolute || strings.Contains(host, "*") || strings.Contains(advice, "would be") {
			return
		}
		for _, field := range []string{"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"} {
			if missed := (mcpapps.Change{Field: field, Entry: scheme + "://" + host}); mustAllow(t, declared, refusal, missed) {
				t.Errorf("%q, %+v: %+v would allow it, and the advice is %q", text, refusal, missed, advice)
			}
		}
	})
}

// mustAllow reports whether an app with the change may do what was refused.
func mustAllow(t *testing.T, declared mcpapps.CSP, refusal mcpapps.Refusal, change mcpapps.Change) bool {
	t.Helper()
	lists := map[string]*[]string{
		"connectDomains": &declared.ConnectDomains, "resourceDomains": &declared.ResourceDomains, "frameDomains": &declared.FrameDomains, "baseUriDomains": &declared.BaseURIDomains,
	}
	if list := lists[change.Field]; list != nil {
		*list = append(slices.Clone(*list), change.Entry)
	}
	app, err := mcpapps.Compile(declared, mcpapps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if refusal.Directive == "base-uri" {
		return change.Field != "" && slices.Contains(app.Granted.BaseURIDomains, change.Entry)
	}
	kind := firewall.TypeOf(refusal.Directive, refusal.URL)
	return firewall.New(app.Policy).Decide(firewall.Request{Method: "GET", URL: refusal.URL, Type: kind}).Action == rules.Allow
}
