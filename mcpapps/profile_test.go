package mcpapps_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/rules"
)

// A profile differs from the specification exactly as its host does.
func TestProfiles(t *testing.T) {
	t.Parallel()
	declared := mcpapps.CSP{
		ConnectDomains: []string{"https://api.example.com", "http://plain.example.com", "ws://live.example.com"}, ResourceDomains: []string{"https://cdn.example.com", "localhost:3000"},
		FrameDomains: []string{"https://frame.example.com"}, BaseURIDomains: []string{"https://base.example.com"},
	}
	const openAI = "https://cdn.tailwindcss.com https://cdn.jsdelivr.net https://unpkg.com https://esm.sh https://*.oaiusercontent.com"
	for profile, want := range map[mcpapps.Profile]struct {
		granted, cuts, images string
		scripts               []rules.Script
	}{
		"":     {"https://api.example.com http://plain.example.com ws://live.example.com|https://cdn.example.com localhost:3000|https://frame.example.com|https://base.example.com", "", "'self' data:", []rules.Script{rules.ScriptInline}},
		"spec": {"https://api.example.com http://plain.example.com ws://live.example.com|https://cdn.example.com localhost:3000|https://frame.example.com|https://base.example.com", "", "'self' data:", []rules.Script{rules.ScriptInline}},
		"chatgpt": {
			"https://api.example.com http://plain.example.com ws://live.example.com " + openAI + "|https://cdn.example.com localhost:3000 " + openAI + "|https://frame.example.com|https://base.example.com",
			"", "'self' data:", []rules.Script{rules.ScriptInline, rules.ScriptBlob},
		},
		"claude": {
			"https://api.example.com|https://cdn.example.com||",
			"http://plain.example.com ws://live.example.com localhost:3000 https://frame.example.com https://base.example.com", "'self' data: blob:", []rules.Script{rules.ScriptInline, rules.ScriptEval, rules.ScriptBlob},
		},
	} {
		app, err := mcpapps.Compile(declared, mcpapps.Options{Profile: profile}, declared)
		if err != nil {
			t.Errorf("%q: %v", profile, err)
			continue
		}
		g := app.Granted
		var granted []string
		for _, list := range [][]string{g.ConnectDomains, g.ResourceDomains, g.FrameDomains, g.BaseURIDomains} {
			granted = append(granted, strings.Join(list, " "))
		}
		if got := strings.Join(granted, "|"); got != want.granted {
			t.Errorf("%q grants %s, want %s", profile, got, want.granted)
		}
		var cuts []string
		for _, cut := range app.Cuts {
			if !strings.Contains(cut.Reason, string(profile)) {
				t.Errorf("%q: a cut does not name the profile: %s", profile, cut)
			}
			cuts = append(cuts, cut.Entry)
		}
		if got := strings.Join(cuts, " "); got != want.cuts {
			t.Errorf("%q cuts %s, want %s", profile, got, want.cuts)
		}
		if got := strings.Join(app.Baseline()["img-src"], " "); got != want.images {
			t.Errorf("%q: images come from %s, want %s", profile, got, want.images)
		}
		if got := app.Policy.Scripts; !slices.Equal(got, want.scripts) {
			t.Errorf("%q: scripts are %v, want %v", profile, got, want.scripts)
		}
	}
	if _, err := mcpapps.Compile(mcpapps.CSP{}, mcpapps.Options{Profile: "other"}); err == nil || !strings.Contains(err.Error(), `no profile "other"; the profiles are spec chatgpt claude`) {
		t.Errorf("an unknown profile: %v", err)
	}
}

// The operator's file bounds a profile, too. If it lacks a value under scripts, that is
// an error before any app arrives.
func TestProfilesAreBounded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ scripts, says string }{{"inline", "scripts"}, {"inline, eval, blob", ""}} {
		open := func(string) ([]byte, error) {
			return []byte("version: 1\nceiling: true\nscripts: [" + row.scripts + "]\nrules:\n  - allow: [https://cdn.example.com]\n"), nil
		}
		app, err := mcpapps.Compile(mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}, mcpapps.Options{Rules: "apps.yaml", Open: open, Profile: mcpapps.ProfileClaude})
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("scripts %s: %v", row.scripts, err)
		}
		if err == nil && (len(app.Cuts) != 1 || len(app.Granted.ConnectDomains) > 0) {
			t.Errorf("the operator's file does not bound the app: %+v", app)
		}
	}
}
