package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An endingContext is canceled after left calls of Err.
type endingContext struct {
	context.Context
	left  int
	after int // calls of Err after the cancellation
}

func (c *endingContext) Err() error {
	if c.left--; c.left >= 0 {
		return nil
	}
	c.after++
	return context.Canceled
}

// A canceled context ends parsing, checking, and compiling. No new step begins after the
// cancellation.
func TestParsingEndsWithItsContext(t *testing.T) {
	many := func(text string) string {
		var all strings.Builder
		for i := range 50 {
			fmt.Fprintf(&all, strings.ReplaceAll(text, "#", "%[1]d"), i)
		}
		return all.String()
	}
	for name, text := range map[string]string{
		"rules":       "version: 1\nrules:\n" + many("- {id: r#, block: https://h#.example}\n"),
		"wrong rules": "version: 1\nrules:\n" + many("- {id: r#, blck: https://h#.example}\n"),
		"patterns":    "version: 1\nrules:\n- block:\n" + many("  - https://h#.example\n"),
		"sockets":     "version: 1\nrules:\n- allow: wss://*.x.example\n- block:\n" + many("  - wss://h#.y.example\n"),
		"enforced":    "version: 1\nenforce: browser\nrules:\n" + many("- {id: r#, block: https://h#.example}\n"),
		"types":       "version: 1\nrules:\n- block: https://h.example\n  types:\n" + many("  - t#\n"),
		"keys":        "version: 1\n" + many("key#: 1\n"),
		"tests":       "version: 1\ntests:\n" + many("- {url: https://h#.example/, expect: block}\n"),
	} {
		t.Run(name, func(t *testing.T) {
			asked := &endingContext{Context: context.Background(), left: 1 << 30}
			_, whole := ParseContext(asked, "rules.yaml", []byte(text))
			times := 1<<30 - asked.left
			if errors.Is(whole, context.Canceled) || times < 50 {
				t.Fatalf("with time: %v; the context was asked %d times", whole, times)
			}
			most := 0
			for left := range times {
				ctx := &endingContext{Context: context.Background(), left: left}
				policy, err := ParseContext(ctx, "rules.yaml", []byte(text))
				if policy != nil || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "rules.yaml") {
					t.Fatalf("after %d of %d: %v, %v", left, times, policy, err)
				}
				most = max(most, ctx.after)
			}
			if most > 20 {
				t.Errorf("after its end the context is asked %d times", most)
			}
		})
	}
}

// Parsing stops once it has found more mistakes than it reports.
func TestMistakesEndTheWork(t *testing.T) {
	for name, text := range map[string]string{
		"patterns": "version: 1\nrules:\n- block:\n" + strings.Repeat("  - a\n", 5*maxErrors),
		"keys":     "version: 1\n" + strings.Repeat("a: 1\n", 5*maxErrors),
		"words":    "version: 1\nscripts:\n" + strings.Repeat("- a\n", 5*maxErrors),
		"tests":    "version: 1\ntests:\n" + strings.Repeat("- a\n", 5*maxErrors),
		"rules":    "version: 1\nrules:\n" + strings.Repeat("- a\n", 5*maxErrors),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := &endingContext{Context: context.Background(), left: 1 << 30}
			_, err := ParseContext(ctx, "rules.yaml", []byte(text))
			if _, ok := errors.AsType[Errors](err); !ok {
				t.Fatal(err)
			}
			if asked := 1<<30 - ctx.left; asked > 3*maxErrors {
				t.Errorf("the context was asked %d times", asked)
			}
		})
	}
}
