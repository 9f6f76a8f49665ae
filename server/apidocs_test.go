package server

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func apiDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Values that differ each time, in the document and in an answer.
var (
	anyID   = regexp.MustCompile(`\b[a-z2-7]{26}\b|\babcdefghijklmnopqrstuvwxyz\b`)
	anyTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// The examples of the document, run one after the other in one shell, print what the document
// says.
func TestDocumentedExamples(t *testing.T) {
	const mark = "\x1e"
	a := startAPI(t, Config{})
	type example struct{ script, kind, want string }
	var examples []example
	block := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	for _, found := range block.FindAllStringSubmatch(apiDocument(t), -1) {
		switch kind, text := found[1], found[2]; {
		case kind == "sh":
			examples = append(examples, example{script: text})
		case len(examples) == 0 || examples[len(examples)-1].kind != "":
			t.Fatalf("an answer without a question: %s", text)
		default:
			last := &examples[len(examples)-1]
			last.kind, last.want = kind, text
		}
	}
	if len(examples) < 10 {
		t.Fatalf("only %d examples", len(examples))
	}
	script := "set -eu\n"
	for _, e := range examples {
		script += e.script + "printf '\\036'\n"
	}
	port := a.config.public.port
	shell := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(script, ":3333", port))
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "BELLGLASS_TOKEN="+a.Token(), "no_proxy=localhost", "HOME="+shell.Dir)
	var said strings.Builder
	shell.Stderr = &said
	out, err := shell.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, and on standard error:\n%s\n%s", err, said.String(), out)
	}
	answers := strings.Split(strings.ReplaceAll(string(out), port, ":3333"), mark)
	if len(answers) != len(examples)+1 {
		t.Fatalf("%d answers to %d examples", len(answers)-1, len(examples))
	}
	for i, e := range examples {
		if diff := cmp.Diff(plainly(t, e.kind, e.want), plainly(t, e.kind, answers[i])); diff != "" {
			t.Errorf("%s (-document +answer):\n%s\n%s", e.script, diff, answers[i])
		}
	}
	if left := len(a.Sandboxes()); left != 0 {
		t.Errorf("the examples leave %d sandboxes", left)
	}
}

// plainly returns a text without values that differ each time. It decodes JSON, so that the
// layout does not matter.
func plainly(t *testing.T, kind, text string) any {
	t.Helper()
	text = anyTime.ReplaceAllString(anyID.ReplaceAllString(text, "ID"), "TIME")
	if kind != "json" {
		return text
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}
