package files

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/npm"
)

// sandpackClient is the path of Sandpack's static client, as published.
const sandpackClient = "dist/index-599aeaf7.mjs"

// sandpackImports is the import map of a page that imports /sandpack.mjs.
const sandpackImports = `<script type="importmap">{"imports": {"outvariant": "/npm/outvariant/lib/index.mjs", "dequal": "/npm/dequal/dist/index.mjs", "static-browser-server": "/static-browser-server.mjs"}}</script>`

// newSandpack serves Sandpack's static client and what it imports to a page of an origin at
// localhost. It serves the client's relay at the hosts below it whose names end with "-preview".
func newSandpack(b *testing.B) http.Handler {
	b.Helper()
	dir := func(name string) string {
		found, err := npm.Dir(name)
		if err != nil {
			b.Fatal(err)
		}
		return found
	}
	relay := dir("static-browser-server")
	// It is published only as CommonJS.
	library, err := os.ReadFile(filepath.Join(relay, "out/lib/main.js"))
	if err != nil {
		b.Fatal(err)
	}
	page := http.NewServeMux()
	for path, in := range map[string]string{"/npm/outvariant/": dir("outvariant"), "/npm/dequal/": dir("dequal"), "/npm/sandpack/": dir("@codesandbox/sandpack-client")} {
		page.Handle(path, http.StripPrefix(path, http.FileServer(http.Dir(in))))
	}
	script := func(path, text string) {
		page.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, text)
		})
	}
	script("/sandpack.mjs", "export * from '/npm/sandpack/"+sandpackClient+"'\n")
	script("/static-browser-server.mjs", fmt.Sprintf("const module = { exports: {} };\n((module, exports) => {\n%s\n})(module, module.exports)\nexport const { PreviewController } = module.exports\n", library))
	preview := http.FileServer(http.Dir(filepath.Join(relay, "out/preview")))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(strings.Split(r.Host, ":")[0], "-preview.localhost") {
			preview.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// sandpackFiles returns files as JavaScript, in the form that Sandpack's client takes, for a script
// in a page.
func sandpackFiles(b *testing.B, files map[string][]byte) string {
	b.Helper()
	all := map[string]map[string]string{}
	for path, text := range files {
		all[path] = map[string]string{"code": string(text)}
	}
	return glass.Literal(b, all)
}
