package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
)

var update = flag.Bool("update", false, "write testdata/rules/*.txt; read the diff afterwards")

// What each command prints on which stream, and its status. The goldens are named after
// the command lines, which run in the folder of the policies.
func TestRulesCommands(t *testing.T) {
	noSettings(t)
	lines := []string{
		"check product.yaml", "check product.yaml --json", "check warned.yaml", "check warned.yaml --json", "check refused.yaml", "check refused.yaml --json",
		"check failing.yaml", "check team.yaml", "check audit.yaml", "check wide.yaml", "check preferred.yaml", "check preferred.yaml --json", "check none.yaml", "check none.yaml --json", "check -", "check shared",
		"test product.yaml", "test product.yaml --json", "test team.yaml", "test failing.yaml", "test failing.yaml --json",
		"test audit.yaml", "test audit.yaml --json", "test refused.yaml", "test none.yaml",
		"csp product.yaml", "csp product.yaml --json", "csp warned.yaml", "csp team.yaml", "csp audit.yaml", "csp wide.yaml", "csp refused.yaml", "csp none.yaml",
		"explain product.yaml GET https://api.example.com/v1/users",
		"explain product.yaml GET https://api.example.com/v1/users --json",
		"explain product.yaml PUT https://api.example.com/v1/users",
		"explain product.yaml PUT https://api.example.com/v1/users --json",
		"explain product.yaml GET https://elsewhere.example/",
		"explain product.yaml GET https://elsewhere.example/ --json",
		"explain product.yaml GET https://a.jsdelivr.net/x.js --type script",
		"explain product.yaml GET https://img.example.com/a/b/ --type image",
		"explain product.yaml GET https://img.example.com/a/th%75mb/b.png --type image",
		"explain product.yaml GET https://www.corp.example/",
		"explain product.yaml GET wss://live.example.com/ --json",
		"explain product.yaml GET http://10.0.0.1/",
		"explain product.yaml GET https://user@api.example.com/v1/users",
		"explain product.yaml GET data:,x --json",
		"explain product.yaml GET data:,x",
		"explain product.yaml GET nothing",
		"explain warned.yaml GET https://px.tracker.example/p.gif --type image --json",
		"explain team.yaml GET https://elsewhere.example/",
		"explain audit.yaml GET https://elsewhere.example/",
		"explain escapes.yaml GET https://api.example.com/",
		"explain refused.yaml GET https://api.example.com/ --json", "explain none.yaml GET https://api.example.com/",
		"explain product.yaml gte https://api.example.com/", "explain product.yaml GET https://api.example.com/ --type scirpt", "explain product.yaml GET",
		"check", "chekc product.yaml",
	}
	golden, err := filepath.Abs("testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("testdata/policies")
	named := map[string]bool{}
	for _, line := range lines {
		words := strings.ReplaceAll(line+" ", " - ", " standard input ")
		name := strings.Trim(strings.Join(strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-"), "-") + ".txt"
		if named[name] {
			t.Fatalf("two command lines have the golden %s", name)
		}
		named[name] = true
		t.Run(line, func(t *testing.T) {
			var out, stderr bytes.Buffer
			in := strings.NewReader("version: 1\ninclude: [shared/company.yaml]\nrules:\n  - {id: in, allow: https://a.maps.example}\n")
			status := start(append([]string{"rules"}, strings.Fields(line)...), in, &out, &stderr)
			got := fmt.Sprintf("$ bellglass rules %s\nstatus %d\n-- standard output --\n%s-- standard error --\n%s", line, status, &out, &stderr)
			if *update {
				write(t, filepath.Join(golden, name), got)
			}
			if diff := cmp.Diff(contents(t, filepath.Join(golden, name)), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if both := out.String() + stderr.String(); strings.ContainsAny(both, "\x1b\t\r") {
				t.Errorf("not plain text: %q", both)
			}
			if strings.HasSuffix(line, "--json") && out.Len() > 0 && !json.Valid(out.Bytes()) {
				t.Errorf("no JSON: %s", &out)
			}
			if strings.HasSuffix(line, "--json") && strings.Contains(out.String(), "null") {
				t.Errorf("a null for a list: %s", &out)
			}
		})
	}
	names, err := filepath.Glob(filepath.Join(golden, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !named[filepath.Base(name)] {
			t.Errorf("%s belongs to no command line", name)
		}
	}
}

func contents(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rules explain gives the verdict of the program that the worker has.
func TestExplainIsDecide(t *testing.T) {
	noSettings(t)
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, file := range files {
		t.Run(file.Name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "rules.yaml")
			write(t, name, string(file.Policy))
			policy, err := rules.Parse(filepath.ToSlash(name), file.Policy)
			if err != nil {
				t.Fatal(err)
			}
			explainer, program, known := firewall.New(policy), policy.Program(), map[bool]bool{}
			for _, c := range file.Cases {
				// Run the command's function, and once for each kind of outcome the
				// whole command line: parsing flags takes longer than deciding.
				command := explainRules{Method: c.Method, URL: c.URL, Type: string(c.Type)}
				request, err := command.request()
				isMethod := slices.Contains(rules.Methods, c.Method)
				if (err == nil) != isMethod {
					t.Errorf("%s:%d: %v for the method %q", file.Name, c.Line, err, c.Method)
				}
				if c.Type == "" {
					continue // cannot be written on a command line; another request is the default
				}
				var got firewall.Explanation
				if isMethod {
					asked++
					got = explainer.Explain(request)
				}
				if !known[isMethod] {
					known[isMethod] = true
					wantExplained(t, name, c, isMethod, got)
				}
				if !isMethod {
					continue
				}
				want := program.Decide(rules.Request{Method: c.Method, URL: c.URL, Type: c.Type})
				if got.Verdict != want.Action || got.Verdict != c.Action || got.Rule != want.Rule || got.Code != want.Code || got.CanonicalURL != want.URL || got.File != want.File || got.Line != want.Line || got.Reason != want.Reason {
					t.Errorf("%s:%d: %s explains %+v, and the program decides %+v", file.Name, c.Line, c.URL, got, want)
				}
			}
		})
	}
	if asked < 500 {
		t.Errorf("only %d cases were asked", asked)
	}
}

// wantExplained runs rules explain, which prints an explanation or rejects the method.
func wantExplained(t *testing.T, policy string, c vectors.Case, isMethod bool, want firewall.Explanation) {
	t.Helper()
	status, out, stderr := run("rules", "explain", policy, c.Method, c.URL, "--type", string(c.Type), "--json")
	if !isMethod {
		if status != exitUsage {
			t.Errorf("status %d for the method %q", status, c.Method)
		}
		return
	}
	var printed strings.Builder
	if err := printJSON(&printed, want); err != nil {
		t.Fatal(err)
	}
	if status != exitOK || out != printed.String() {
		t.Errorf("line %d: status %d, %s\n%s\nwant\n%s", c.Line, status, stderr, out, &printed)
	}
}

func TestStartersAndSchema(t *testing.T) {
	noSettings(t)
	status, out, stderr := run("rules", "starter")
	if status != exitOK || stderr != "" || strings.Count(out, "\n") != len(rules.Starters()) {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
	for _, s := range rules.Starters() {
		if !strings.Contains(out, s.Name+" ") || !strings.Contains(out, s.Title) {
			t.Errorf("%s is not listed in\n%s", s.Name, out)
		}
		status, text, stderr := run("rules", "starter", s.Name)
		if status != exitOK || stderr != "" || text != string(s.Text) {
			t.Errorf("%s: status %d, %q, %q", s.Name, status, text, stderr)
		}
		name := filepath.Join(t.TempDir(), "rules.yaml")
		write(t, name, text)
		if status, out, stderr := run("rules", "check", name); status != exitOK || stderr != "" || !strings.Contains(out, " 0 warnings\n") {
			t.Errorf("%s is not valid: status %d, %s, %s", s.Name, status, out, stderr)
		}
	}
	if status, out, stderr := run("rules", "starter", "none"); status != exitUsage || out != "" || !strings.Contains(stderr, `"none"`) || !strings.Contains(stderr, rules.Starters()[0].Name) {
		t.Errorf("an unknown one: status %d, %q, %q", status, out, stderr)
	}
	if status, out, stderr := run("rules", "schema"); status != exitOK || stderr != "" || out != string(rules.Schema()) {
		t.Errorf("schema: status %d, %q, %q", status, out, stderr)
	}
}
