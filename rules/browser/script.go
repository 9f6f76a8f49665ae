package browser

import "github.com/bellglass/bellglass/rules/rule"

// ScriptSources returns the sources that the ways to run script add in a document, by
// directive.
func ScriptSources(scripts []rule.Script) map[string][]string {
	sources := map[string][]string{}
	for _, script := range scripts {
		switch script {
		case rule.ScriptInline:
			sources["script-src"] = append(sources["script-src"], "'unsafe-inline'")
		case rule.ScriptEval:
			sources["script-src"] = append(sources["script-src"], "'unsafe-eval'")
		case rule.ScriptWasm:
			sources["script-src"] = append(sources["script-src"], "'wasm-unsafe-eval'")
		case rule.ScriptBlob:
			for _, directive := range []string{"script-src", "worker-src", "frame-src"} {
				sources[directive] = append(sources[directive], "blob:")
			}
		}
	}
	return sources
}
