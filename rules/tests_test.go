package rules_test

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

// RunTests and Load judge the tests alike. RunTests also returns the tests that pass beside
// one that fails.
func TestRunTests(t *testing.T) {
	text := "version: 1\nrules: [{id: a, allow: https://a.example.com}]\ntests:\n  - {url: https://a.example.com/, expect: allow}\n"
	failing := "  - {url: https://a.example.com/, expect: block}\n"
	results, err := rules.RunTests("p.yaml", inMemory("p.yaml", text))
	if err != nil || len(results) != 1 || results[0].Failure != nil || results[0].Verdict.Rule != "a" || results[0].File != "p.yaml" || results[0].Pos.Line != 4 {
		t.Errorf("%+v, %v", results, err)
	}
	results, err = rules.RunTests("p.yaml", inMemory("p.yaml", text+failing))
	if err != nil || len(results) != 2 || results[0].Failure != nil || results[1].Failure == nil {
		t.Fatalf("%+v, %v", results, err)
	}
	_, err = rules.Load("p.yaml", inMemory("p.yaml", text+failing))
	if got := results[1].Failure.Error(); err == nil || err.Error() != got {
		t.Errorf("Load says %v, and RunTests %s", err, got)
	}
	if _, err := rules.RunTests("p.yaml", inMemory("p.yaml", text+"  - {}\n")); err == nil || !strings.Contains(err.Error(), "the test has no url") {
		t.Errorf("another mistake: %v", err)
	}
	if _, err := rules.RunTests("none.yaml", inMemory()); err == nil || !strings.Contains(err.Error(), "cannot read the policy") {
		t.Errorf("no file: %v", err)
	}
	if results, err := rules.RunTests("p.yaml", inMemory("p.yaml", "version: 1\n")); err != nil || len(results) != 0 {
		t.Errorf("no tests: %v, %v", results, err)
	}
}
