package mcpapps_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
)

// directives returns the directives of the compiled policy, one a line, sorted.
func directives(app *mcpapps.App) string {
	var lines []string
	for name, sources := range app.Policy.Browser().Directives {
		if len(sources) > 0 {
			lines = append(lines, name+" "+strings.Join(slices.Sorted(slices.Values(sources)), " "))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func mustCompile(t *testing.T, csp string, options mcpapps.Options, bounds ...string) *mcpapps.App {
	t.Helper()
	declared, err := mcpapps.ParseCSP([]byte(csp))
	if err != nil {
		t.Fatal(err)
	}
	var all []mcpapps.CSP
	for _, text := range bounds {
		bound, err := mcpapps.ParseCSP([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bound)
	}
	app, err := mcpapps.Compile(declared, options, all...)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

const resources = "font-src %[1]s\nimg-src %[1]s\nmedia-src %[1]s\nscript-src %[1]s\nstyle-src %[1]s"

// What an app declares, and what the browser's policy says then.
func TestCompile(t *testing.T) {
	for _, row := range []struct{ name, csp, want string }{
		{"nothing", `{}`, ""},
		{"null", `null`, ""},
		{"null lists", `{"connectDomains": null}`, ""},
		{"a field of a later specification", `{"workerDomains": ["https://a.example"]}`, ""},
		{"connect", `{"connectDomains": ["https://api.example.com"]}`, "connect-src https://api.example.com"},
		{"resources", `{"resourceDomains": ["https://cdn.example.com"]}`, fmt.Sprintf(resources, "https://cdn.example.com")},
		{"frames", `{"frameDomains": ["https://www.youtube.com"]}`, "frame-src https://www.youtube.com"},
		{"base", `{"baseUriDomains": ["https://cdn.example.com"]}`, ""},
		{"a wildcard", `{"resourceDomains": ["https://*.cloudflare.com"]}`, fmt.Sprintf(resources, "https://*.cloudflare.com")},
		{"a port", `{"connectDomains": ["https://api.example.com:8443"]}`, "connect-src https://api.example.com:8443"},
		{"every port", `{"connectDomains": ["https://api.example.com:*"]}`, "connect-src https://api.example.com:*"},
		{"http", `{"connectDomains": ["http://localhost:3000"]}`, "connect-src http://localhost:3000 https://localhost:3000"},
		{"a WebSocket", `{"connectDomains": ["wss://live.example.com"]}`, "connect-src wss://live.example.com"},
		{"an open WebSocket", `{"connectDomains": ["ws://localhost:3000"]}`, "connect-src ws://localhost:3000 wss://localhost:3000"},
		{"both", `{"connectDomains": ["https://a.example.com", "wss://a.example.com"]}`, "connect-src https://a.example.com wss://a.example.com"},
		{"a final slash", `{"connectDomains": ["https://a.example.com/"]}`, "connect-src https://a.example.com"},
		{"a folder", `{"connectDomains": ["https://a.example.com/v1/"]}`, "connect-src https://a.example.com/v1/"},
		{"a file", `{"connectDomains": ["https://a.example.com/v1/x.json"]}`, "connect-src https://a.example.com/v1/x.json"},
		{"no scheme", `{"connectDomains": ["api.example.com"]}`, "connect-src https://api.example.com"},
		{"no scheme, this machine", `{"connectDomains": ["localhost:3000"]}`, "connect-src http://localhost:3000 https://localhost:3000"},
		{"twice", `{"connectDomains": ["https://a.example.com", "https://a.example.com"]}`, "connect-src https://a.example.com"},
		{"upper case", `{"connectDomains": ["https://API.example.com"]}`, "connect-src https://api.example.com"},
	} {
		t.Run(row.name, func(t *testing.T) {
			app := mustCompile(t, row.csp, mcpapps.Options{})
			if got := directives(app); got != row.want {
				t.Errorf("the browser's policy is\n%s\nwant\n%s", got, row.want)
			}
			if len(app.Cuts) > 0 {
				t.Errorf("cut: %v", app.Cuts)
			}
		})
	}
}

// Entries that mean more than an origin, or nothing at all, are not granted.
func TestCuts(t *testing.T) {
	for _, row := range []struct{ entry, reason string }{
		{"", "not an origin"},
		{"*", "every host"},
		{"https://*", "every host"},
		{"https:", "a scheme"},
		{"data:", "a scheme"},
		{"blob:", "a scheme"},
		{"data:text/html,x", "a scheme"},
		{"'unsafe-eval'", "a keyword"},
		{"'self'", "a keyword"},
		{"'sha256-abc'", "a keyword"},
		{"https://a.example.com; script-src *", "not an origin"},
		{"https://a.example.com, https://b.example.com", "not an origin"},
		{"https://a.example.com https://b.example.com", "not an origin"},
		{"https://a.example.com\nX: y", "not an origin"},
		{`https://a.example.com"`, "not an origin"},
		{"https://user:secret@a.example.com", "a user name"},
		{"https://[::1]:8080", "IPv6"},
		{"https://a.example.com?q", "a query"},
		{"https://a.example.com#f", "a query"},
		{"ftp://a.example.com", "not an origin"},
		{"//a.example.com", "not an origin"},
		{"https://{a,b}.example.com", "not an origin"},
		{"https://**.example.com", "not an origin"},
		{"https://a*.example.com", "not an origin"},
		{"https://*.com", ""},
		{"https://*.github.io", ""},
		{"https://a.example.com:0", ""},
		{"https://a.example.com:99999", ""},
		{"https://256.1.1.1", ""},
		{"https://a.example.com/%", ""},
		{"https://a.example.com/a/../b", ""},
		{"https://" + strings.Repeat("a", 600), "512"},
		{"https://bücher.example", "not an origin"},
	} {
		t.Run(row.entry, func(t *testing.T) {
			declared := mcpapps.CSP{ConnectDomains: []string{row.entry}, ResourceDomains: []string{row.entry}, FrameDomains: []string{row.entry}, BaseURIDomains: []string{row.entry}}
			app, err := mcpapps.Compile(declared, mcpapps.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := directives(app); got != "" {
				t.Errorf("the browser's policy is %q", got)
			}
			if len(app.Cuts) != 4 {
				t.Fatalf("cut: %v", app.Cuts)
			}
			for _, cut := range app.Cuts {
				if !strings.Contains(cut.Reason, row.reason) || cut.Entry != row.entry || cut.Reason == "" {
					t.Errorf("the cut is %+v; the reason should speak of %q", cut, row.reason)
				}
			}
			if granted := fmt.Sprint(app.Granted); granted != fmt.Sprint(mcpapps.CSP{}) {
				t.Errorf("granted: %s", granted)
			}
		})
	}
}

// A WebSocket is not a resource.
func TestSocketsConnect(t *testing.T) {
	app := mustCompile(t, `{"resourceDomains": ["wss://a.example.com"], "frameDomains": ["ws://a.example.com"]}`, mcpapps.Options{})
	if got := directives(app); got != "" || len(app.Cuts) != 2 {
		t.Errorf("the browser's policy is %q; cut: %v", got, app.Cuts)
	}
}

// An invalid declaration is an error. Nothing is granted on a guess.
func TestParseCSPRejects(t *testing.T) {
	for _, text := range []string{
		"", "undefined", "[]", `"https://a.example.com"`, "1", "true", "{", "{}{}", `{"connectDomains": "https://a.example.com"}`, `{"connectDomains": [1]}`,
		`{"connectDomains": [], "connectDomains": ["https://a.example.com"]}`, `{"connectDomains": {}}`, "{\"connectDomains\": [\"\xff\"]}",
		`{"connectDomains": ["` + strings.Repeat("a", 1<<20) + `"]}`, `{"connectDomains": [` + strings.Repeat(`"",`, 256) + `""]}`,
	} {
		if csp, err := mcpapps.ParseCSP([]byte(text)); err == nil {
			t.Errorf("%.80q is read as %v", text, csp)
		}
	}
}

// A host may declare in two ways, and the operator may bound every app. Only what all
// of them allow is granted.
func TestBounds(t *testing.T) {
	operator := func(text string) mcpapps.Options {
		return mcpapps.Options{Rules: "etc/apps.yaml", Open: func(name string) ([]byte, error) {
			if name != "etc/apps.yaml" {
				return nil, errors.New("no such file")
			}
			return []byte("version: 1\nceiling: true\nscripts: [inline]\nrules:\n" + text), nil
		}}
	}
	for _, row := range []struct {
		name, csp string
		options   mcpapps.Options
		bounds    []string
		want      string
		cuts      int
	}{
		{"the message has less", `{"connectDomains": ["https://a.example.com", "https://b.example.com"]}`, mcpapps.Options{}, []string{`{"connectDomains": ["https://b.example.com"]}`}, "connect-src https://b.example.com", 1},
		{"the message has more", `{"connectDomains": ["https://a.example.com"]}`, mcpapps.Options{}, []string{`{"connectDomains": ["https://*.example.com"], "frameDomains": ["https://a.example.com"]}`}, "connect-src https://a.example.com", 2},
		{"the message has nothing", `{"connectDomains": ["https://a.example.com"], "baseUriDomains": ["https://a.example.com"]}`, mcpapps.Options{}, []string{`{}`}, "", 2},
		{"another list", `{"connectDomains": ["https://a.example.com"]}`, mcpapps.Options{}, []string{`{"resourceDomains": ["https://a.example.com"]}`}, "", 2},
		{"the message is narrower", `{"connectDomains": ["https://*.example.com"]}`, mcpapps.Options{}, []string{`{"connectDomains": ["https://a.example.com"]}`}, "connect-src https://a.example.com", 1},
		{"the operator has less", `{"connectDomains": ["https://a.example.com", "https://b.example.com"]}`, operator("  - allow: https://b.example.com\n"), nil, "connect-src https://b.example.com", 1},
		{"the operator's file opens nothing", `{}`, operator("  - allow: https://b.example.com\n"), nil, "", 0},
		{"both", `{"connectDomains": ["https://a.example.com", "https://b.example.com"]}`, operator("  - allow: https://b.example.com\n"), []string{`{"connectDomains": ["https://a.example.com"]}`}, "", 2},
		{"a frame that the operator cuts into", `{"frameDomains": ["https://*.example.com"], "connectDomains": ["https://a.example.com"]}`, operator("  - {allow: \"https://*.example.com\", types: [frame, fetch]}\n  - block: https://evil.example.com\n"), nil, "connect-src https://a.example.com", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			app := mustCompile(t, row.csp, row.options, row.bounds...)
			if got := directives(app); got != row.want {
				t.Errorf("the browser's policy is\n%s\nwant\n%s", got, row.want)
			}
			if len(app.Cuts) != row.cuts {
				t.Errorf("cut: %v", app.Cuts)
			}
		})
	}
}

// A declaration that is too long for a header loses its last entries. No entry is
// replaced by a wider one.
func TestLongDeclarations(t *testing.T) {
	hosts := func(count int) (all []string) {
		for i := range count {
			all = append(all, fmt.Sprintf("https://host-%d.example.com", i))
		}
		return all
	}
	operator := mcpapps.Options{Rules: "apps.yaml", Open: func(string) ([]byte, error) {
		return []byte("version: 1\nceiling: true\nscripts: [inline]\nrules: [{allow: \"https://*.example.com\"}]\n"), nil
	}}
	for name, row := range map[string]struct {
		declared mcpapps.CSP
		options  mcpapps.Options
		bounds   []mcpapps.CSP
		cut      bool
	}{
		"resources":             {mcpapps.CSP{ResourceDomains: hosts(256)}, mcpapps.Options{}, nil, true},
		"connections":           {mcpapps.CSP{ConnectDomains: hosts(256)}, mcpapps.Options{}, nil, true},
		"frames":                {mcpapps.CSP{FrameDomains: hosts(256)}, mcpapps.Options{}, nil, true},
		"within the operator's": {mcpapps.CSP{ConnectDomains: hosts(128), ResourceDomains: hosts(128)}, operator, nil, true},
		"said twice":            {mcpapps.CSP{ResourceDomains: hosts(256)}, operator, []mcpapps.CSP{{ResourceDomains: hosts(256)}}, true},
		"few":                   {mcpapps.CSP{ConnectDomains: hosts(100)}, operator, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			app, err := mcpapps.Compile(row.declared, row.options, row.bounds...)
			if err != nil {
				t.Fatal(err)
			}
			declared := slices.Concat(row.declared.ConnectDomains, row.declared.ResourceDomains, row.declared.FrameDomains)
			granted := slices.Concat(app.Granted.ConnectDomains, app.Granted.ResourceDomains, app.Granted.FrameDomains)
			if len(granted)+len(app.Cuts) != len(declared) || len(granted) < 40 || (len(app.Cuts) > 0) != row.cut {
				t.Errorf("of %d entries %d are granted and %d cut", len(declared), len(granted), len(app.Cuts))
			}
			for directive, sources := range app.Policy.Browser().Directives {
				for _, source := range sources {
					if !slices.Contains(granted, source) {
						t.Errorf("%s has %s, which is no entry that is granted", directive, source)
					}
				}
			}
			for _, cut := range app.Cuts {
				if !strings.Contains(cut.Reason, "has room for") && !strings.Contains(cut.Reason, "bytes of a Connection-Allowlist") {
					t.Errorf("%v", cut)
				}
			}
		})
	}
}

// An operator's file that cannot bound an app is an error at once.
func TestOperatorsMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\nscripts: [inline]\nrules: [{allow: https://a.example.com}]\n": "ceiling: true",
		"version: 1\nceiling: true\nrules: [{allow: https://a.example.com}]\n":     "inline",
		"version: 2\n": "version",
	} {
		_, err := mcpapps.Compile(mcpapps.CSP{}, mcpapps.Options{Rules: "apps.yaml", Open: func(string) ([]byte, error) { return []byte(text), nil }})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
