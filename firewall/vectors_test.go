package firewall

import (
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
)

// The smallest legal numbers of vectors, so that a lost file is noticed.
const (
	leastFiles = 87
	leastCases = 3950
)

func TestVectors(t *testing.T) {
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, file := range files {
		t.Run(file.Name, func(t *testing.T) {
			policy, err := rules.Parse(file.Name, file.Policy)
			if err != nil {
				t.Fatal(err)
			}
			firewall := New(policy)
			for _, c := range file.Cases {
				got := firewall.Decide(Request{Method: c.Method, URL: c.URL, Type: c.Type})
				if got.Action != c.Action || got.Rule != c.Rule || got.Code != c.Code {
					t.Errorf("%s:%d: %s %s %.200s\n got %s rule %q code %q (%s; %.200s)\nwant %s rule %q code %q",
						file.Name, c.Line, c.Method, c.Type, c.URL, got.Action, got.Rule, got.Code, got.Reason, got.URL, c.Action, c.Rule, c.Code)
				}
			}
		})
		cases += len(file.Cases)
	}
	if len(files) < leastFiles || cases < leastCases {
		t.Errorf("only %d files with %d cases; at least %d and %d are known to exist", len(files), cases, leastFiles, leastCases)
	}
}

// Every code must be the outcome of some vector, except two: no-program needs a firewall
// without a policy, and ceiling needs a policy of several files.
func TestVectorsCoverTheCodes(t *testing.T) {
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[rules.Code]bool{rules.CodeNoProgram: true, rules.CodeCeiling: true}
	for _, file := range files {
		for _, c := range file.Cases {
			seen[c.Code] = true
		}
	}
	for _, code := range rules.Codes {
		if !seen[code] {
			t.Errorf("no vector has the code %s", code)
		}
	}
}
