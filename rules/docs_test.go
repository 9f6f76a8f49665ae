package rules

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/program"
	"github.com/bellglass/bellglass/rules/rule"
)

// The documents that contain policies. The tests compare them with the code.
//
// The word after a fence says what the block contains:
//
//	yaml          a whole policy; a first line "# NAME.yaml" makes it a file that others include
//	yaml rules    a list of rules, which together are valid
//	yaml refused  a list of rules, each of which is rejected on its own
const language = "../docs/rules.md"

var documents = []string{language, "../README.md"}

// A fenced block of a document.
type fenced struct {
	place, info, text string
}

func fences(t *testing.T, name string) []fenced {
	t.Helper()
	var all []fenced
	open := false
	for i, line := range strings.Split(document(t, name), "\n") {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && !open:
			all = append(all, fenced{place: fmt.Sprintf("%s:%d", path.Base(name), i+1), info: info})
		case !fence && open:
			all[len(all)-1].text += line + "\n"
		}
		open = open != fence
	}
	if open || len(all) == 0 {
		t.Fatalf("%s: %d fenced blocks; the last one is open: %v", name, len(all), open)
	}
	return all
}

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocumentedPolicies(t *testing.T) {
	for _, name := range documents {
		checkFences(fences(t, name), t.Errorf)
	}
}

// checkFences parses every block. No block goes unchecked: an unknown word after yaml is a
// problem, and so is YAML under another name.
func checkFences(all []fenced, problem func(format string, args ...any)) {
	named, included := map[string]fenced{}, map[string]bool{}
	for _, f := range all {
		if name := fileName(f); name != "" {
			named[name] = f
		}
	}
	open := func(name string) ([]byte, error) {
		if f, ok := named[name]; ok {
			included[name] = true
			return []byte(f.text), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, f := range all {
		switch f.info {
		case "yaml":
			if strings.Contains(f.text, "ceiling: true") {
				continue // not a policy on its own; it must be included
			}
			if _, err := load(context.Background(), f.place, []byte(f.text), open); err != nil {
				problem("%s: %v", f.place, err)
			}
		case "yaml rules":
			if _, err := Parse(f.place, asPolicy(f.text)); err != nil {
				problem("%s: %v", f.place, err)
			}
		case "yaml refused":
			for i, rule := range listElements(f.text) {
				if policy, err := Parse(f.place, asPolicy(rule)); err == nil {
					problem("%s: rule %d is not refused: %s", f.place, i+1, policy.Rules[0].Patterns[0].Source)
				}
			}
		default:
			if strings.HasPrefix(f.info, "y") || strings.Contains(f.text, "version: 1") || strings.Contains(f.text, "- allow:") {
				problem("%s: a block of YAML with the words %q, which no test reads", f.place, f.info)
			}
		}
	}
	for name, f := range named {
		if strings.Contains(f.text, "ceiling: true") && !included[name] {
			problem("%s: no policy includes %s", f.place, name)
		}
	}
}

func fileName(f fenced) string {
	first, _, _ := strings.Cut(f.text, "\n")
	if name, ok := strings.CutPrefix(first, "# "); ok && path.Ext(name) == ".yaml" {
		return name
	}
	return ""
}

func asPolicy(list string) []byte { return []byte("version: 1\nrules:\n" + list) }

// listElements splits a list at the beginning of each element.
func listElements(list string) []string {
	var all []string
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "- ") {
			all = append(all, "")
		}
		all[len(all)-1] += line
	}
	return all
}

// checkFences reports each kind of problem.
func TestDocumentedPoliciesCanFail(t *testing.T) {
	const ceiling = "# base.yaml\nversion: 1\nceiling: true\n"
	for _, c := range []struct{ info, text, says string }{
		{"yaml", "version: 2\n", "version 1"},
		{"yaml", "version: 1\ninclude: [other.yaml]\n", "other.yaml"},
		{"yaml", ceiling, "no policy includes base.yaml"},
		{"yaml rules", "- allow: example.com\n", "no scheme"},
		{"yaml refused", "- allow: example.com\n- allow: https://example.com\n", "rule 2 is not refused: https://example.com"},
		{"yaml policy", "version: 1\n", "which no test reads"},
		{"", "rules:\n  - allow: https://example.com\n", "which no test reads"},
	} {
		var problems []string
		checkFences([]fenced{{"place", c.info, c.text}}, func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) })
		if len(problems) != 1 || !strings.Contains(problems[0], c.says) {
			t.Errorf("%s %q: %q, want one problem with %q", c.info, c.text, problems, c.says)
		}
	}
}

// rowsOf returns the cells of the language's tables with this heading, row by row.
func rowsOf(t *testing.T, heading string) [][]string {
	t.Helper()
	var rows [][]string
	inside := false
	for line := range strings.Lines(document(t, language)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, heading):
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "|---"):
			var row []string
			for _, cell := range strings.Split(strings.Trim(line, "|"), " | ") {
				row = append(row, strings.TrimSpace(cell))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table %q", language, heading)
	}
	return rows
}

var backQuoted = regexp.MustCompile("`([^`]+)`")

// quoted returns the texts in back quotes.
func quoted(cell string) []string {
	var all []string
	for _, match := range backQuoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, match[1])
	}
	return all
}

func TestDocumentedMatches(t *testing.T) {
	for _, row := range rowsOf(t, "| pattern | matches |") {
		pattern := quoted(row[0])[0]
		policy, err := Parse(pattern, asPolicy("- allow: '"+pattern+"'\n"))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if len(quoted(row[1])) == 0 || len(quoted(row[2])) == 0 {
			t.Errorf("%s: %q matches, %q does not", pattern, row[1], row[2])
		}
		for i, want := range []Action{Allow, Block} {
			for _, url := range quoted(row[i+1]) {
				request := Request{Method: "GET", URL: url, Type: TypeFetch}
				if strings.HasPrefix(url, "ws") {
					request.Type = TypeWebSocket
				}
				if v := policy.Program().Decide(request); v.Action != want {
					t.Errorf("%s, %s: %s (%s), want %s", pattern, url, v.Action, v.Code, want)
				}
			}
		}
	}
}

func TestDocumentedSources(t *testing.T) {
	for _, row := range rowsOf(t, "| pattern | CSP source |") {
		pattern := quoted(row[0])[0]
		targets, wrong := compilePattern(pattern)
		if wrong != nil {
			t.Errorf("%s: %s", pattern, wrong.msg)
			continue
		}
		source := browser.SourceOf(&targets[0])
		exact := map[bool]string{true: "exact", false: "wider"}[len(source.Wider) == 0]
		if got := []string{"`" + pattern + "`", "`" + source.CSP + "`", "`" + source.Pattern + "`", exact}; !slices.Equal(got, row) {
			t.Errorf("the row is %q, want %q", row, got)
		}
	}
}

// The documentation contains all words of the closed lists.
func TestDocumentedWords(t *testing.T) {
	firsts := func(rows [][]string) []string {
		var all []string
		for _, row := range rows {
			all = append(all, quoted(row[0])...)
		}
		return all
	}
	keys := slices.Concat(names(policyKeys), names(ruleKeys), names(testKeys))
	codes := firsts(append(rowsOf(t, "| code | what is blocked |"), rowsOf(t, "| code | what it means |")...))
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"keys", firsts(rowsOf(t, "| key | value |")), keys},
		{"types", firsts(rowsOf(t, "| type | CSP directive |")), texts(Types)},
		{"scripts", firsts(rowsOf(t, "| word | what it opens |")), texts(Scripts)},
		{"codes", codes, texts(Codes)},
	} {
		if c.what == "codes" {
			slices.Sort(c.got)
			slices.Sort(c.want)
		}
		if !slices.Equal(c.got, c.want) {
			t.Errorf("the %s are %q, want %q", c.what, c.got, c.want)
		}
	}
	for _, row := range rowsOf(t, "| type | CSP directive |") {
		if got := quoted(row[1])[0]; got != browser.Directive(Type(quoted(row[0])[0])) {
			t.Errorf("the directive of %s is %s, want %s", row[0], got, browser.Directive(Type(quoted(row[0])[0])))
		}
	}
	for _, starter := range Starters() {
		if !strings.Contains(document(t, language), "["+starter.Name+"](../rules/starters/"+starter.Name+".yaml)") {
			t.Errorf("there is no link to the starter %s", starter.Name)
		}
	}
	for _, row := range rowsOf(t, "| key | value |") {
		if row[0] == "`methods`" && !strings.Contains(row[1], strings.Join(Methods, " ")) {
			t.Errorf("the methods are %q", row[1])
		}
	}
}

func TestDocumentedLimits(t *testing.T) {
	want := [][]string{
		{"a policy file", fmt.Sprintf("%d MiB", maxFile>>20)},
		{"files of a policy", fmt.Sprint(maxLayers)},
		{"keys, and elements of lists, of a policy", fmt.Sprint(maxEntries)},
		{"those of them in one list, or in one pair of brackets or braces with all that is in it", fmt.Sprint(maxFlowEntries)},
		{"a pattern", fmt.Sprintf("%d bytes", maxPattern)},
		{"alternatives that the braces of a pattern make", fmt.Sprint(maxAlternatives)},
		{"alternatives of all patterns of a policy, where one without braces counts as 1", fmt.Sprint(maxTargets)},
		{"stars", "1 in a label or segment"},
		{"segments between two `**`", fmt.Sprint(rule.MaxBetween)},
		{"labels and segments of all patterns and exceptions that one request could have to be compared with", fmt.Sprint(program.MaxCompared)},
		{"segments between two `**` among those", fmt.Sprint(program.MaxSought)},
		{"an id", fmt.Sprintf("%d characters", longestID)},
		{"a reason", fmt.Sprintf("%d bytes", maxReason)},
		{"a host that is judged", fmt.Sprintf("%d bytes", rule.MaxHost)},
		{"a URL that is judged", fmt.Sprintf("%d KiB", rule.MaxURL>>10)},
		{"each header's sources", fmt.Sprintf("%d KiB", browser.HeaderBudget>>10)},
	}
	if got := rowsOf(t, "| what | limit |"); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the limits are %q, want %q", got, want)
	}
}
