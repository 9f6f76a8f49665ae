package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/bellglass/bellglass/rules/rule"
)

// The bytes that reading a policy may allocate: a base, and an amount for each byte, entry,
// alternative, and mistake. These are two to four times the measured values. A cost that grows
// faster than the text soon exceeds them.
const (
	workBase        = 4 << 20
	workByte        = 128
	workEntry       = 4 << 10
	workAlternative = 32 << 10
	workMistake     = 16 << 10
)

// Reading a text takes memory in proportion to the counted and capped quantities, whatever the
// text repeats.
func FuzzWorkIsBounded(f *testing.F) {
	for _, pattern := range []string{"testdata/ok/*.yaml", "testdata/err/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("%s: no files (%v)", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			// The middle line is repeated, between the others.
			lines := strings.SplitAfter(string(text), "\n")
			middle := len(lines) / 2
			f.Add(strings.Join(lines[:middle], ""), lines[middle], strings.Join(lines[middle+1:], ""), uint16(500))
		}
	}
	const rules = "version: 1\nrules:\n"
	for _, row := range [][3]string{
		{"[", "a: b,", "a]"}, {"{", "a,", "a}"}, {"[", `""`, "]"}, {"[", "*a ", "]"}, {"[", "! ", "]"}, {"[", "- ", "]"}, {"", "? ", ""},
		{"", "- - ", ""}, {"[", "[", "]"}, {"[", "{]", "]"}, {"", "#\n\n", ""}, {"- a\n", " #b\n\n", "- b"}, {"a: |\n", " b\n", ""}, {`a: "`, "\\n", `"`},
		{"", "--- a\n", ""}, {"", "k: v\n", ""}, {"", "&a ", ""}, {"a: ", "b ", ""}, {"%TAG ! a\n", "%TAG ! b\n", "--- a"},
		{rules, "- {}\n", ""}, {rules, "- allow: a\n", ""}, {rules, "- block: https://a.b\n", ""}, {rules + "- block:\n", "  - https://{a,b}{a,b}{a,b}.c/{d,e}{d,e}{d,e}/*\n", ""},
		{rules + "- allow:\n", "  - https://a.b/c\n", ""}, {rules + "- block: https://a.b\n  except:\n", "  - https://a.b/c\n", ""},
		{rules + "- block: https://a.b\n  reason: '", "reason ", "'\n"}, {rules + "- block: https://", "a.", "b\n"}, {rules + "- block: https://a.b/", "*/", "b\n"},
		{rules + "- allow: https://a.b\n  types: [", "fetch, ", "fetch]\n"}, {"version: 1\nscripts: [", "inline,", "]"},
		{"version: 1\ntests:\n", "- {url: https://a.b/, expect: block}\n", ""}, {"version: 1\ntests:\n", "- {url: https://a.b/, expect: allow, rule: r}\n", ""},
	} {
		f.Add(row[0], row[1], row[2], uint16(20_000))
	}
	f.Fuzz(func(t *testing.T, head, unit, tail string, times uint16) {
		const longest = 32 << 10 // so that the fuzzer tries many inputs
		if len(head)+len(tail) > longest {
			return
		}
		if unit != "" {
			head += strings.Repeat(unit, min(int(times), (longest-len(head)-len(tail))/len(unit)))
		}
		src := []byte(head + tail)
		l := &loader{ctx: t.Context(), policy: &Policy{Policy: rule.Policy{Name: "rules.yaml", Mode: ModeEnforce}, text: string(src)}, ids: map[string]string{}}
		took := allocated(func() {
			l.read("rules.yaml", src, nil)
			l.policy.check(l)
			if len(l.errs) == 0 {
				l.policy.compile(l)
			}
		})
		most := int64(workBase + workByte*len(src) + workEntry*l.entries + workAlternative*l.targets + workMistake*min(l.mistakes, maxErrors))
		if took > most {
			t.Errorf("%d bytes with %d entries, %d alternatives and %d mistakes took %d bytes of memory, more than %d", len(src), l.entries, l.targets, l.mistakes, took, most)
		}
		if l.entries > maxEntries+1 || l.targets > maxTargets+maxAlternatives || len(l.errs) > maxErrors+1 {
			t.Errorf("%d entries, %d alternatives, %d mistakes", l.entries, l.targets, len(l.errs))
		}
		// A text without an entry is one node in its document. A key with its value, and the
		// mapping that contains them, are three nodes.
		entries := 0
		for c := (entryCounter{src: src, free: usualMarks}); c.next(len(src)); entries++ {
		}
		if nodes := nodesIn(src); nodes > 3*entries+2 {
			t.Errorf("%d nodes of %d entries", nodes, entries)
		}
	})
}

// nodesIn counts the nodes of a text's first document, or returns 0 if it is not YAML.
func nodesIn(src []byte) int {
	loader, err := yaml.NewLoader(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))
	if err != nil {
		return 0
	}
	var n yaml.Node
	if loader.Load(&n) != nil {
		return 0
	}
	return countNodes(&n)
}

func countNodes(n *yaml.Node) int {
	count := 1
	for _, child := range n.Content {
		count += countNodes(child)
	}
	return count
}
