package cli

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The command line prints for the policy in README.md what README.md shows.
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

// serve accepts each line of the documentation that starts a proxy.
func TestDocumentedProxies(t *testing.T) {
	noSettings(t)
	ownState(t)
	count := 0
	for _, name := range []string{"mcp-apps.md", "btcp.md", "migration.md"} {
		for line := range strings.Lines(contents(t, filepath.Join("..", "docs", name))) {
			arguments, found := strings.CutPrefix(line, "bellglass ")
			if !found {
				continue
			}
			count++
			var c commands
			parser, err := kong.New(&c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(strings.Fields(arguments)); err != nil {
				t.Errorf("%s: %s%v", name, line, err)
				continue
			}
			// Another program may use these ports here.
			c.Serve.Addr = "127.0.0.1:0"
			if c.Serve.MCPAddr != "" {
				c.Serve.MCPAddr = "127.0.0.1:0"
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			var out strings.Builder
			if err := c.Serve.run(ctx, streams{out: &out, err: io.Discard, log: slog.New(slog.DiscardHandler)}); err != nil || !strings.Contains(out.String(), "http://sandbox.localhost:") {
				t.Errorf("%s: %s%v\n%s", name, line, err, &out)
			}
		}
	}
	if count < 6 {
		t.Errorf("only %d lines start a proxy", count)
	}
}
