package execute

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/command"
)

// TestRunCommand runs the command as a program, and checks each exit status and its output.
func TestRunCommand(t *testing.T) {
	t.Parallel()
	browser, err := installed.Find()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const oddName = "sum #1?100% a%41&;é.mjs" // each of its special characters means something else in a URL
	for name, text := range map[string]string{
		oddName:            "console.log('adding', 2)\nexport default ({ a, b }) => a + b\n",
		"terminal.mjs":     "console.log('one\\nbellglass: two\\x9b')\nexport default '\\x1b[2J\\x9b1m\\u202e'\n",
		"throws.js":        "export default () => {\n  throw new RangeError('on purpose')\n}\n",
		"blocked.mjs":      "try { await fetch('http://127.0.0.1:9/x') } catch {}\nexport default 'went on'\n",
		"endless.mjs":      "console.warn('begun')\nfor (;;) {}\n",
		"page.html":        "<p>",
		"wrong.yaml":       "version: 1\ndefault: allow\n",
		"app/main.mjs":     "import { word } from './lib/word.mjs'\nexport default word + (await (await fetch('/data.json')).json()).n\n",
		"app/data.json":    `{"n": 1}`,
		"app/lib/word.mjs": "export const word = 'word'\n",
		"bare/index.html":  "<p>",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, row := range []struct {
		name, stdin string
		args        []string
		status      int
		stdout      string // the whole output
		stderr      string // part of the output
	}{
		{"result", "", []string{at(oddName), "--args", `{"a": 2, "b": 3}`}, 0, "5\n", "[log] adding 2\n"},
		{"terminal", "", []string{at("terminal.mjs")}, 0, `"\u001b[2J\u009b1m\u202e"` + "\n", "[log] one\n  | bellglass: two\\u009b\n"},
		{"folder", "", []string{at("app")}, 0, "\"word1\"\n", ""},
		{"standard input", "export default [await 1]", []string{"-"}, 0, "[1]\n", ""},
		{"throws", "", []string{at("throws.js")}, 1, "", "/throws.js:2"},
		{"went on", "", []string{at("blocked.mjs")}, 0, "\"went on\"\n", "[blocked] http://127.0.0.1:9/x"},
		{"blocked", "", []string{at("blocked.mjs"), "--fail-on-block"}, 3, "\"went on\"\n", "1 request blocked"},
		{"endless", "", []string{at("endless.mjs"), "--timeout", "2s"}, 124, "", "[warn] begun\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := command.RunOn(t, row.stdin, append([]string{"run", "--browser", browser}, row.args...)...)
			if got.Status != row.status || got.Stdout != row.stdout || !strings.Contains(got.Stderr, row.stderr) || strings.ContainsAny(got.Stderr, "\r\x1b") {
				t.Errorf("status %d, want %d; standard output %q, want %q; standard error, which should have %q:\n%s", got.Status, row.status, got.Stdout, row.stdout, row.stderr, got.Stderr)
			}
		})
	}
	t.Run("json", func(t *testing.T) {
		t.Parallel()
		got := command.Run(t, "run", "--browser", browser, "--json", at("throws.js"))
		var outcome server.Outcome
		if err := json.Unmarshal([]byte(got.Stdout), &outcome); err != nil || got.Status != 1 || outcome.Error == nil || outcome.Error.Name != "RangeError" || outcome.Console == nil {
			t.Errorf("status %d, %v, standard output\n%s", got.Status, err, got.Stdout)
		}
	})
	// Code that cannot run is reported before a browser starts.
	for name, row := range map[string]struct {
		args []string
		says string
	}{
		"nothing":          {nil, "<path>"},
		"unknown flag":     {[]string{"--nonsense", "-"}, "--nonsense"},
		"no such file":     {[]string{at("none.mjs")}, "none.mjs"},
		"no module":        {[]string{at("page.html")}, "is not a module"},
		"no main":          {[]string{at("bare")}, "has no module named main"},
		"wrong policy":     {[]string{at(oddName), "--rules", at("wrong.yaml")}, "the policy is refused"},
		"wrong arguments":  {[]string{at(oddName), "--args", "{"}, "not one JSON value"},
		"negative timeout": {[]string{at(oddName), "--timeout", "-1s"}, "--timeout"},
		"no browser":       {[]string{at(oddName), "--browser", "no-such-browser"}, "no-such-browser"},
	} {
		t.Run(name, func(t *testing.T) {
			got := command.Run(t, append([]string{"run", "--browser", "false"}, row.args...)...)
			if got.Status != 2 || got.Stdout != "" || !strings.Contains(got.Stderr, row.says) {
				t.Errorf("status %d, want 2; standard output %q; standard error, which should have %q:\n%s", got.Status, got.Stdout, row.says, got.Stderr)
			}
		})
	}
}
