// Package apiclient proves that the OpenAPI document of the HTTP API is enough to write a
// program. A generator makes a client from the document, and a program below testdata uses the
// API only through that client.
//
// The generated code is not committed. The test generates it, and builds the program with it
// through an overlay. The file tools.mod pins the generator, and the module that generated
// code imports.
package apiclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }

// The program takes a sandbox through its whole life. A browser shows that what it pushed is
// there.
func TestLifeByAGeneratedClient(t *testing.T) {
	t.Parallel()
	program := build(t)
	const token = "a-token-of-the-configuration"
	embedders := glass.Listen(t)
	embedder := fmt.Sprintf("http://localhost:%d", embedders[0].Addr().(*net.TCPAddr).Port)
	g := glass.Start(t, func(c *server.Config) { c.Tokens, c.Embedders = []string{token}, []string{embedder} })
	life := exec.CommandContext(t.Context(), program, strconv.Itoa(g.Port), token)
	var mistakes strings.Builder
	life.Stderr = &mistakes
	said, err := life.StdoutPipe()
	must(t, err)
	answers, err := life.StdinPipe()
	must(t, err)
	must(t, life.Start())

	glass.Serve(t, embedders, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Embedder</title><iframe src=%q></iframe>`, r.FormValue("show"))
	}))
	page := glass.NewPage(t)
	shown := 0
	for lines := bufio.NewScanner(said); lines.Scan(); shown++ {
		outerURL, text, _ := strings.Cut(lines.Text(), " ")
		_, err := page.Goto(embedder + "/?show=" + url.QueryEscape(outerURL))
		must(t, err)
		if err := browser.Expect(page.FrameLocator("iframe").FrameLocator("iframe").Locator("#word")).ToHaveText(text); err != nil {
			t.Error(err)
		}
		fmt.Fprintln(answers)
	}
	if err := life.Wait(); err != nil || mistakes.Len() > 0 || shown != 2 {
		t.Errorf("the program ends with %v after %d pages:\n%s", err, shown, mistakes.String())
	}
}

// build generates the client, and returns the path of the program built with it.
func build(t *testing.T) string {
	t.Helper()
	const life = "tests/apiclient/testdata/life"
	root, dir := repository.Root(t), t.TempDir()
	client, overlay, program := filepath.Join(dir, "client.gen.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "life")
	tool(t, root, "tool", "-modfile=tools.mod", "oapi-codegen", "-config", "tests/apiclient/testdata/oapi-codegen.yaml", "-o", client, "server/api/openapi.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, life, "client.gen.go"): client}})
	must(t, err)
	must(t, os.WriteFile(overlay, replace, 0o600))
	tool(t, root, "build", "-modfile=tools.mod", "-overlay", overlay, "-o", program, "./"+life)
	return program
}

// tool runs the go command in the module's folder.
func tool(t *testing.T, root string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", args[0], err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
