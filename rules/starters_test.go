package rules_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
)

// Starters returns every file under its own name.
func TestStartersAreTheFiles(t *testing.T) {
	var offered, there []string
	for _, starter := range rules.Starters() {
		offered = append(offered, starter.Name+".yaml")
		if diff := cmp.Diff(string(read(t, "starters/"+starter.Name+".yaml")), string(starter.Text)); diff != "" {
			t.Errorf("%s is not its file:\n%s", starter.Name, diff)
		}
	}
	for _, name := range files(t, "starters/*") {
		there = append(there, filepath.Base(name))
	}
	slices.Sort(offered)
	if diff := cmp.Diff(there, offered); diff != "" {
		t.Errorf("the offered policies differ from the files (-files +offered):\n%s", diff)
	}
}

// Each starter is a valid policy whose tests pass; Parse would reject it otherwise. The tests
// show what passes and what is blocked. They also show that a host that only looks like an
// allowed one is blocked.
func TestStarters(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z][^\n#]{20,100}\.$`)
	names := map[string]bool{}
	for _, starter := range rules.Starters() {
		t.Run(starter.Name, func(t *testing.T) {
			if names[starter.Name] {
				t.Error("the name is given twice")
			}
			names[starter.Name] = true
			if !sentence.MatchString(starter.Title) {
				t.Errorf("the title %q is not one sentence", starter.Title)
			}
			policy, err := rules.Parse(starter.Name+".yaml", starter.Text)
			if err != nil {
				t.Fatal(err)
			}
			if len(policy.Tests) < 4 {
				t.Errorf("only %d tests", len(policy.Tests))
			}
			lookAlike := func(test rules.Test) bool { return strings.Contains(test.Request.URL, ".evil.example/") }
			if !slices.ContainsFunc(policy.Tests, lookAlike) {
				t.Error("no test of a host that only looks like another")
			}
			decided := map[string]bool{}
			for _, test := range policy.Tests {
				decided[test.Rule] = true
			}
			for _, rule := range policy.Rules {
				if !decided[rule.ID] {
					t.Errorf("no test is decided by the rule %s", rule.ID)
				}
			}
		})
	}
}

// Starters promise only what is enforced: the browser or the worker holds each rule as the
// texts say. The title of the audit starter says that it contains nothing.
func TestStartersKeepTheirWord(t *testing.T) {
	policies := map[string]*rules.Policy{}
	for _, starter := range rules.Starters() {
		policy, err := rules.Parse(starter.Name+".yaml", starter.Text)
		if err != nil {
			t.Fatal(err)
		}
		policies[starter.Name] = policy
		if audits := policy.Mode == rules.ModeAudit; audits != (starter.Name == "audit") || audits && !strings.Contains(starter.Title, "contains nothing") {
			t.Errorf("%s: its mode is %s and its title %q", starter.Name, policy.Mode, starter.Title)
		}
	}
	for name, want := range map[string][]rules.Enforcer{
		"block-all": nil, "single-file": nil,
		"script-cdn": slices.Repeat([]rules.Enforcer{rules.EnforcedByBrowser}, 5),
		"public-api": {rules.EnforcedByWorker, rules.EnforcedByWorker},
		"audit":      {rules.EnforcedByWorker, rules.EnforcedByWorker, rules.EnforcedByWorker},
	} {
		var got []rules.Enforcer
		reporter := rules.NewReporter(policies[name])
		for i := range policies[name].Rules {
			got = append(got, reporter.Report(i).EnforcedBy)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is held by %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]map[string][]string{
		"block-all": {}, "single-file": {},
		"script-cdn": {
			"script-src": {"https://cdn.jsdelivr.net", "https://unpkg.com", "https://esm.sh", "https://cdnjs.cloudflare.com/ajax/libs/"},
			"style-src":  {"https://cdn.jsdelivr.net", "https://unpkg.com", "https://esm.sh", "https://cdnjs.cloudflare.com/ajax/libs/", "https://fonts.googleapis.com"},
			"font-src":   {"https://cdn.jsdelivr.net", "https://unpkg.com", "https://cdnjs.cloudflare.com/ajax/libs/", "https://fonts.gstatic.com"},
		},
		"public-api": {"connect-src": {"https://api.example.com/v1/"}},
	} {
		if diff := cmp.Diff(want, policies[name].Browser().Directives); diff != "" {
			t.Errorf("the browser's policy for %s (-want +got):\n%s", name, diff)
		}
	}
}

// Default, the first starter without its tests, is still a whole policy with the same rules.
func TestDefaultIsTheFirstStarter(t *testing.T) {
	first := rules.Starters()[0]
	if !strings.HasPrefix(string(first.Text), string(rules.Default)) || len(rules.Default) == len(first.Text) {
		t.Error("the default is not the first starter up to its tests")
	}
	for _, text := range [][]byte{rules.Default, first.Text} {
		policy, err := rules.Parse("block-all.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if len(policy.Rules)+len(policy.Scripts) > 0 || policy.Mode != rules.ModeEnforce || len(policy.Browser().Patterns) > 0 {
			t.Errorf("it does not block all: %+v", policy)
		}
	}
}
