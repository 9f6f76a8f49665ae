package sw_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reports that wait in the outer frame are bounded and leave in batches. Each dropped
// report is counted once.
func TestWaitingReports(t *testing.T) {
	type bounds struct {
		Reports int  `json:"reports"`
		Length  int  `json:"length"`
		Again   bool `json:"again"`
	}
	type report = map[string]any
	line := func(length int) report { // length includes the characters of the words
		return report{"kind": "console", "level": "log", "text": strings.Repeat("x", length-len("console")-len("log"))}
	}
	lines := func(n, length int) []any { return slices.Repeat([]any{line(length)}, n) }
	add := func(dropped float64, reports ...any) any {
		return map[string]any{"dropped": dropped, "reports": append([]any{}, reports...)}
	}
	const next, clear = "next", "clear" // steps; any other is a batch to add
	type sent struct {
		Dropped float64 `json:"dropped"`
		Page    int     `json:"page"`   // reports
		Length  int     `json:"length"` // characters in the reports
		Empty   bool    `json:"empty"`  // afterwards
	}
	wide := bounds{1_000, 1 << 20, true}
	rows := []struct {
		name   string
		bounds bounds
		steps  []any
		want   []sent
	}{
		{"nothing", wide, []any{next}, []sent{{0, 0, 0, true}}},
		{"one", wide, []any{add(0, line(20)), next, next}, []sent{{0, 1, 20, true}, {0, 0, 0, true}}},
		{"only a count", wide, []any{add(3), next}, []sent{{3, 0, 0, true}}},
		{"what is no report", wide, []any{add(2, line(20), 1, nil, report{"kind": "other"}, line(30)), next}, []sent{{5, 2, 50, true}}},
		{"a batch of as many", wide, []any{add(1, lines(201, 20)...), next, next}, []sent{{1, 200, 4_000, false}, {0, 1, 20, true}}},
		{"a batch of as long", wide, []any{add(0, lines(129, 4<<10)...), next, next}, []sent{{0, 128, 512 << 10, false}, {0, 1, 4 << 10, true}}},
		{"too many", bounds{3, 100, true}, []any{add(1, lines(5, 20)...), next}, []sent{{3, 3, 60, true}}},
		{"too many in two", bounds{3, 100, true}, []any{add(0, lines(2, 20)...), add(0, lines(2, 20)...), next}, []sent{{1, 3, 60, true}}},
		{"too long", bounds{10, 50, true}, []any{add(0, lines(5, 20)...), next}, []sent{{2, 3, 60, true}}},
		{"too many to look at", bounds{2, 100, true}, []any{add(0, 1, 2, line(20)), next}, []sent{{3, 0, 0, true}}},
		{"what was sent makes room", bounds{3, 50, true}, []any{add(0, lines(3, 20)...), next, add(0, lines(4, 20)...), next}, []sent{{0, 3, 60, true}, {1, 3, 60, true}}},
		{"or it makes none, by number", bounds{3, 100, false}, []any{add(0, lines(2, 20)...), next, add(0, lines(2, 20)...), next}, []sent{{0, 2, 40, true}, {1, 1, 20, true}}},
		{"or it makes none, by length", bounds{10, 50, false}, []any{add(0, lines(2, 20)...), next, add(0, lines(2, 20)...), next}, []sent{{0, 2, 40, true}, {1, 1, 20, true}}},
		{"cleared", wide, []any{add(7, lines(2, 20)...), clear, next}, []sent{{0, 0, 0, true}}},
		{"a count beyond all", wide, []any{add(9e14), add(9e14), next, add(1), next}, []sent{{1e15, 0, 0, true}, {1, 0, 0, true}}},
	}
	type question struct {
		Bounds bounds `json:"bounds"`
		Steps  []any  `json:"steps"`
	}
	var input []question
	for _, row := range rows {
		input = append(input, question{row.bounds, row.steps})
	}
	var output [][]sent
	runNode(t, `import { length } from '../outer-frame/sanitize'
import { Waiting } from '../outer-frame/waiting'
print(input.map(({ bounds, steps }: any) => {
  const waiting = new Waiting(bounds)
  const sent: unknown[] = []
  for (const step of steps) {
    if (step === 'next') {
      const { dropped, page } = waiting.next()
      sent.push({ dropped, page: page.length, length: page.reduce((n, report) => n + length(report), 0), empty: waiting.empty() })
    } else if (step === 'clear') waiting.clear()
    else waiting.add(step)
  }
  return sent
}))
`, input, &output)
	if len(output) != len(rows) {
		t.Fatalf("%d answers to %d rows", len(output), len(rows))
	}
	for i, row := range rows {
		if diff := cmp.Diff(row.want, output[i]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

func TestWaitingReportsKeepTheirOrder(t *testing.T) {
	var input []string
	for i := range 450 {
		input = append(input, fmt.Sprint(i))
	}
	var output [][]string
	runNode(t, `import { Waiting } from '../outer-frame/waiting'
const waiting = new Waiting({ reports: 1_000, length: 1_000_000, again: true })
for (const text of input) waiting.add({ dropped: 0, reports: [{ kind: 'console', level: 'log', text, url: '', line: 0, col: 0 }] })
const sent: string[][] = []
while (!waiting.empty()) sent.push(waiting.next().page.map((report: any) => report.text))
print(sent)
`, input, &output)
	if diff := cmp.Diff([][]string{input[:200], input[200:400], input[400:]}, output); diff != "" {
		t.Errorf("the batches (-want +got):\n%s", diff)
	}
}
