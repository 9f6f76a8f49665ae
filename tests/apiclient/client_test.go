package apiclient

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write client.gen.go anew; read the diff afterwards")

// The committed client is the one that the committed document makes.
func TestClientIsGenerated(t *testing.T) {
	const name = "client.gen.go"
	out := filepath.Join(t.TempDir(), name)
	generate := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools.mod", "oapi-codegen", "-config", "tests/apiclient/oapi-codegen.yaml", "-o", out, "server/api/openapi.json")
	generate.Dir = filepath.Join("..", "..")
	if text, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("oapi-codegen: %v\n%s", err, text)
	}
	fresh, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(fresh) < 1_000 || !bytes.Equal(fresh, committed) {
		t.Errorf("%s is not what server/api/openapi.json makes; run go test ./tests/apiclient -update", name)
	}
}
