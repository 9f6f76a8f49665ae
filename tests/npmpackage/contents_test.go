package npmpackage

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The package has what it needs and nothing else, and its library is the one that the server
// serves.
func TestContents(t *testing.T) {
	t.Parallel()
	installed := filepath.Join(newProject(t, map[string]string{}), "node_modules", "bellglass")
	entries, err := os.ReadDir(installed)
	must(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{"LICENSE", "README.md", "bellglass.d.ts", "bellglass.js", "node.d.ts", "node.js", "package.json", "react.d.ts", "react.js", "schemas.gen.d.ts"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(installed, name))
		must(t, err)
		return string(text)
	}
	// A program that go run builds has no recorded version.
	var manifest struct {
		Name, Version string
		Dependencies  map[string]string
	}
	must(t, json.Unmarshal([]byte(read("package.json")), &manifest))
	if manifest.Name != "bellglass" || manifest.Version != "0.0.0-devel" || len(manifest.Dependencies) > 0 {
		t.Errorf("package.json says %+v", manifest)
	}
	g := glass.Start(t)
	for file, path := range map[string]string{"bellglass.js": "/bellglass.js", "bellglass.d.ts": "/bellglass.d.ts"} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", strings.TrimSuffix(apiOf(g), "/api/v1")+path, nil)
		must(t, err)
		request.Host = "sandbox." + request.Host
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		served, err := io.ReadAll(response.Body)
		must(t, err)
		must(t, response.Body.Close())
		if response.StatusCode != http.StatusOK || string(served) != read(file) {
			t.Errorf("%s is not what the server serves: status %d, %d bytes", file, response.StatusCode, len(served))
		}
	}
}
