// Package openapi has a linter check the OpenAPI document of the HTTP API.
package openapi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// lint runs the linter with its recommended rules. Each warning counts as an error here.
func lint(t *testing.T, document string) (said string, err error) {
	t.Helper()
	redocly, err := npm.Dir("@redocly/cli")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(redocly, "bin", "cli.js"), "lint", "--max-problems=20", "--format=stylish", document)
	// These settings turn off the linter's telemetry and update check.
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "CI=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The document has no errors and no warnings.
func TestDocumentIsClean(t *testing.T) {
	said, err := lint(t, filepath.Join(repository.Root(t), "server", "api", "openapi.json"))
	if err != nil || !strings.Contains(said, "is valid") || strings.Contains(said, "warning  ") {
		t.Errorf("%v:\n%s", err, said)
	}
}

// The linter finds errors.
func TestLinterFinds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository.Root(t), "server", "api", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"an error":  {`"operationId": "getSandbox"`, `"operationId": "listSandboxes"`},
		"a warning": {`"identifier": "Apache-2.0"`, `"x-other": ""`},
	} {
		document := filepath.Join(t.TempDir(), "openapi.json")
		if err := os.WriteFile(document, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := lint(t, document); err == nil && strings.Contains(said, "is valid") && !strings.Contains(said, "warning") {
			t.Errorf("it does not see %s:\n%s", name, said)
		}
	}
}
