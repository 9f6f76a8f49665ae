package rules

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes a function has allocated.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// wantMistake checks that there is exactly one mistake, and its position. The column may be up
// to within larger than that of the end of before.
func wantMistake(t *testing.T, err error, msg string, before string, within int) {
	t.Helper()
	mistakes, _ := errors.AsType[Errors](err)
	if len(mistakes) != 1 || !strings.Contains(mistakes[0].Msg, msg) || mistakes[0].Hint == "" {
		t.Fatalf("the error is %.300v", err)
	}
	line, col := placeOf([]byte(before))
	if m := mistakes[0]; m.Line != line || m.Col < col || m.Col > col+within {
		t.Errorf("the mistake is at %d:%d, want %d:%d", m.Line, m.Col, line, col)
	}
}

// A file of tiny entries is rejected at the first entry too many, before any entry is parsed.
func TestEntriesOfAPolicyAreCapped(t *testing.T) {
	for _, row := range []struct {
		name, head, unit string
		units            int // how many fit under the cap
		col              int // of the entry too many, in the next unit
	}{
		{"a list", "x:\n", "-\n", maxEntries - 1, 1},
		{"a list of lists", "x:\n", "- - -\n", (maxEntries - 1) / 3, 1},
		{"a list of mappings", "x:\n", "- {a: b, c: [d]}\n", (maxEntries - 1) / 6, 8},
		{"a mapping", "", "a:\n", maxEntries, 2},
		{"keys without a name", "", ":\n", maxEntries, 1},
		{"keys with a question mark", "", "?\n", maxEntries, 1},
		{"a list in brackets", "x: [", "a,", maxEntries - 2, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := row.head + strings.Repeat(row.unit, row.units+100)
			var err error
			bytes := allocated(func() { _, err = Parse("rules.yaml", []byte(text)) })
			wantMistake(t, err, fmt.Sprint(maxEntries), row.head+strings.Repeat(row.unit, row.units)+row.unit[:row.col-1], 0)
			if most := int64(40 * len(text)); bytes > most {
				t.Errorf("a file of %d bytes took %d bytes of memory, more than %d", len(text), bytes, most)
			}
		})
	}
}

// The contents of one pair of brackets or braces are capped, even if they are not YAML. The
// YAML library looks for the end of the pair before it looks at the contents.
func TestEntriesInBracketsAreCapped(t *testing.T) {
	t.Parallel()
	// The real cap takes a second to reach. Only the last row reaches it.
	const n = 4_000
	const within = 2 * 512 // the library asks for 512 bytes at a time
	for _, row := range []struct {
		name, head, unit, tail string
		units                  int // how many fit under the cap, besides the opening bracket
	}{
		{"a list", "[", "a,", "a]", n - 1},
		{"a list as a value", "x: [", "a,", "a]", n - 1},
		{"a mapping", "{", "a,", "a}", n - 1},
		{"pairs", "- [", "a: b,", "a]", (n - 1) / 2},
		{"lists", "- - [", "[],", "a]", (n - 1) / 2},
		{"hyphens", "[", "- ", "]", n - 1},
		{"quotes", "[", `""`, "]", n / 2},
		{"tags", "[", "! ", "]", n + 1},
		{"aliases", "[", "*a ", "]", n + 1},
		{"brackets in quotes", "[ ']', ", "'[',", "]", (n - 4) / 2},
		{"brackets in a comment", "[ # ]\n", "a,", "]", n - 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			// A small pair of braces before it ends, and does not count.
			head := "- {a: b}\n"
			if row.head[0] != '-' {
				head = ""
			}
			head += row.head
			text := head + strings.Repeat(row.unit, row.units+1000) + row.tail
			p := &parser{loader: &loader{ctx: t.Context(), policy: &Policy{}}, lines: splitLines(text)}
			p.load([]byte(text), n)
			wantMistake(t, p.errs, fmt.Sprint(n), head+strings.Repeat(row.unit, row.units), within)
		})
	}
	t.Run("of Parse", func(t *testing.T) {
		t.Parallel()
		_, err := Parse("rules.yaml", []byte("["+strings.Repeat("a,", maxFlowEntries+1000)+"a]"))
		wantMistake(t, err, fmt.Sprint(maxFlowEntries), "["+strings.Repeat("a,", maxFlowEntries-1), within)
	})
}

// A policy has room for 100,000 rules in either style.
func TestEntriesHaveRoomForRules(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"in braces":  "- {id: r%d, block: https://*.h%[1]d.example/v1/**, types: [fetch]}\n",
		"with lines": "- id: r%d\n  block: \"https://*.h%[1]d.{a,b}.example\"\n  types: [fetch]\n",
	} {
		var text strings.Builder
		text.WriteString("version: 1\nrules:\n")
		for i := range 100_000 {
			fmt.Fprintf(&text, rule, i)
		}
		p := &parser{loader: &loader{ctx: t.Context(), policy: &Policy{}}}
		p.lines = splitLines(text.String())
		if !p.checkSize([]byte(text.String())) || p.load([]byte(text.String()), maxFlowEntries) == nil {
			t.Errorf("%s: %d entries in %d bytes: %v", name, p.entries, text.Len(), p.errs)
		}
	}
}

// The entries of all files count together.
func TestEntriesOfAllFilesCount(t *testing.T) {
	half := "version: 1\nrules:\n" + strings.Repeat("- block: https://a.b # "+strings.Repeat(",", maxEntries/200)+"\n", 100)
	_, err := Load("a.yaml", func(name string) ([]byte, error) {
		if name == "a.yaml" {
			return []byte("include: [b.yaml]\n" + half), nil
		}
		return []byte(half), nil
	})
	mistakes, _ := errors.AsType[Errors](err)
	if len(mistakes) != 1 || mistakes[0].File != "b.yaml" || !strings.Contains(mistakes[0].Msg, fmt.Sprint(maxEntries)) {
		t.Errorf("the error is %.300v", err)
	}
}

// Sources that do not fit into any header are not compared with one another.
func TestSourcesWithoutRoomAreNotCompared(t *testing.T) {
	text := "version: 1\nrules:\n- allow:\n"
	for i := range 1_000 {
		text += fmt.Sprintf("  - https://host%d.example\n", i)
	}
	l := &loader{ctx: t.Context(), policy: &Policy{}, ids: map[string]string{}}
	l.read("rules.yaml", []byte(text), nil)
	l.policy.check(l)
	l.policy.compile(l)
	if len(l.errs) == 0 || !strings.Contains(l.errs[0].Msg, "Content-Security-Policy") || l.policy.browser != nil {
		t.Errorf("the errors are %v, and the browser's policy has %d sources", l.errs, len(l.policy.Browser().Worker))
	}
}
