package mcpapps_test

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
)

// Whatever an app declares, the browser's policy names only hosts of entries, in a form
// that cannot start another directive.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"connectDomains":["https://a.example.com","wss://b.example.com"]}`, `{"resourceDomains":["https://*.example.com:8443/x/"]}`,
		`{"frameDomains":["http://localhost:3000"],"baseUriDomains":["a.example.com"]}`, `{"connectDomains":["https://a.example.com; script-src *","'unsafe-eval'","*"]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		csp, err := mcpapps.ParseCSP(text)
		if err != nil {
			return
		}
		app, err := mcpapps.Compile(csp, mcpapps.Options{})
		if err != nil {
			t.Fatalf("without options there is an error: %v", err)
		}
		var declared strings.Builder
		for _, list := range [][]string{csp.ConnectDomains, csp.ResourceDomains, csp.FrameDomains, csp.BaseURIDomains} {
			declared.WriteString(strings.ToLower(strings.Join(list, "\n")) + "\n")
		}
		all := app.Policy.Browser().Directives
		all["base-uri"] = app.Baseline()["base-uri"]
		for name, sources := range all {
			for _, source := range sources {
				if source == "'self'" && name == "base-uri" {
					continue
				}
				_, rest, found := strings.Cut(source, "://")
				host, _, _ := strings.Cut(rest, "/")
				host, _, _ = strings.Cut(host, ":")
				if !found || host == "" || !strings.Contains(declared.String(), host) || strings.ContainsAny(source, ";, '\"\r\n\t") {
					t.Errorf("%q opens %s %q", text, name, source)
				}
			}
		}
	})
}
