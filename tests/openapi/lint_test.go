// Package openapi has a linter check the OpenAPI document of the HTTP API.
package openapi

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// problems runs the linter with its recommended rules, and returns its errors and warnings.
func problems(t *testing.T, document string) []string {
	t.Helper()
	redocly, err := npm.Dir("@redocly/cli")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(redocly, "bin", "cli.js"), "lint", "--format=json", document)
	// These settings turn off the linter's telemetry and update check.
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "CI=true")
	out, err := cmd.Output() // with errors in the document it fails
	var report struct {
		Totals   *struct{ Errors, Warnings, Ignored int }
		Problems []struct{ RuleID, Severity, Message string }
	}
	if json.Unmarshal(out, &report) != nil || report.Totals == nil || report.Totals.Ignored > 0 {
		t.Fatalf("the linter reports nothing usable (%v): %.500s", err, out)
	}
	var found []string
	for _, p := range report.Problems {
		found = append(found, p.Severity+" "+p.RuleID+": "+p.Message)
	}
	if len(found) != report.Totals.Errors+report.Totals.Warnings {
		t.Errorf("the linter counts %+v and reports %q", *report.Totals, found)
	}
	return found
}

// The document has no errors and no warnings.
func TestDocumentIsClean(t *testing.T) {
	if found := problems(t, filepath.Join(repository.Root(t), "server", "api", "openapi.json")); len(found) > 0 {
		t.Errorf("the linter finds:\n%s", strings.Join(found, "\n"))
	}
}

// The linter finds what it is for.
func TestLinterFinds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository.Root(t), "server", "api", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"error operation-operationId-unique: ": {`"operationId": "getSandbox"`, `"operationId": "listSandboxes"`},
		"warn info-license-strict: ":           {`"identifier": "Apache-2.0"`, `"x-other": ""`},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("the document has no %s", change[0])
		}
		document := filepath.Join(t.TempDir(), "openapi.json")
		if err := os.WriteFile(document, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		found := problems(t, document)
		if !slices.ContainsFunc(found, func(problem string) bool { return strings.HasPrefix(problem, want) }) {
			t.Errorf("with %s the linter finds %q, want %q", change[1], found, want)
		}
	}
}
