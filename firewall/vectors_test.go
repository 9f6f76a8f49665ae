package firewall

import (
	"slices"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
)

// The least that the set of vectors must hold, so that one which got lost is
// missed.
const (
	leastFiles = 35
	leastCases = 500
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
				if got.Action != c.Action || got.Rule != c.Rule || string(got.Code) != c.Code {
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

func TestVectorsKnowTheCodes(t *testing.T) {
	want := []string{}
	for _, code := range Codes {
		want = append(want, string(code))
	}
	if got := append([]string{vectors.CodeRule}, vectors.Codes...); !slices.Equal(got, want) {
		t.Errorf("package vectors knows the codes %v, this package has %v", got, want)
	}
}

// Every code but no-program, which needs a firewall without a policy, must be
// the outcome of some vector.
func TestVectorsCoverTheCodes(t *testing.T) {
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{string(CodeNoProgram): true}
	for _, file := range files {
		for _, c := range file.Cases {
			seen[c.Code] = true
		}
	}
	for _, code := range Codes {
		if !seen[string(code)] {
			t.Errorf("no vector has the code %s", code)
		}
	}
}
