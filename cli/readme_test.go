package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// What README.md shows of the command line is what it prints for the policy
// that README.md shows.
func TestReadme(t *testing.T) {
	noSettings(t)
	readme := contents(t, filepath.Join("..", "README.md"))
	block := func(kind string) string {
		_, rest, begun := strings.Cut(readme, "\n```"+kind+"\n")
		text, _, ended := strings.Cut(rest, "```")
		if !begun || !ended {
			t.Fatalf("no block of %s", kind)
		}
		return text
	}
	policy, console := block("yaml"), block("console")
	t.Chdir(t.TempDir())
	write(t, "rules.yaml", policy)
	const prompt = "$ go run . "
	commands := strings.Split(strings.TrimPrefix(console, prompt), "\n"+prompt)
	if len(commands) < 2 {
		t.Fatalf("only %d commands are shown", len(commands))
	}
	for _, command := range commands {
		line, want, _ := strings.Cut(command, "\n")
		status, out, stderr := run(strings.Fields(line)...)
		if status != exitOK || stderr != "" || strings.TrimRight(out, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%s: status %d, standard error %q, and prints\n%s", line, status, stderr, out)
		}
	}
}
