package rules

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Braces cannot turn a small file into a policy of unlimited size. After the cap is reached,
// no further pattern is expanded.
func TestAlternativesOfAPolicyAreCapped(t *testing.T) {
	t.Parallel()
	const first = 5 // line of the first pattern
	over := maxTargets/maxAlternatives + 1
	for _, row := range []struct {
		name, key string
		braces    string
		mistakes  int // in each pattern
	}{
		{"hosts", "allow", "https://{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}.h%d.example", 0},
		{"paths", "block", "https://h%d.example/{a,b}{a,b}{a,b}/{a,b}{a,b}{a,b}", 0},
		{"wrong ones", "block", "https://{a,b}{a,b}{a,b}.h%d.example/{a,b}{a,b}{a,b}/%%", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			fmt.Fprintf(&text, "version: 1\nrules:\n  - id: braces\n    %s:\n", row.key)
			for i := range 2 * over {
				fmt.Fprintf(&text, "      - %q\n", fmt.Sprintf(row.braces, i))
			}
			l := &loader{ctx: t.Context(), policy: &Policy{}, ids: map[string]string{}}
			l.read("rules.yaml", []byte(text.String()), nil)
			if l.targets > maxTargets+maxAlternatives || l.mistakes > 1+row.mistakes*over {
				t.Errorf("%d alternatives were expanded; %d are allowed", l.targets, maxTargets)
			}
			_, err := Parse("rules.yaml", []byte(text.String()))
			mistakes, ok := errors.AsType[Errors](err)
			if !ok || len(mistakes) != 1+row.mistakes*(over-1) {
				t.Fatalf("%d mistakes: %.300v", len(mistakes), err)
			}
			if m := mistakes[len(mistakes)-1]; m.Line != first+over-1 || m.Col == 0 || !strings.Contains(m.Msg, fmt.Sprint(maxTargets)) {
				t.Errorf("the mistake is %v, want line %d", m, first+over-1)
			}
		})
	}
}
