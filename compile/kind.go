package compile

import (
	"path"
	"strings"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
)

// ScriptPath returns where a result has what the file at the path is as a
// script. No file of a sandbox can be there (vfs.Reserved).
func ScriptPath(p string) string { return protocol.ScriptPath + p[1:] + ".js" }

// languages are those of sources that no browser runs.
var languages = map[string]transform.Language{
	".ts": transform.TypeScript, ".mts": transform.TypeScript, ".tsx": transform.TSX, ".jsx": transform.JSX,
}

// languageOf returns the language of a source file. JavaScript is a source, too: its imports
// may need to be resolved. ok is false for any other file, and for the files of packages, which
// others have compiled.
func languageOf(p string) (l transform.Language, ok bool) {
	if strings.Contains(p, "/node_modules/") {
		return "", false
	}
	ext := strings.ToLower(path.Ext(p))
	if ext == ".js" || ext == ".mjs" {
		return transform.JavaScript, true
	}
	if strings.HasSuffix(p, ".d.ts") {
		return "", false // declares types, and is never run
	}
	l, ok = languages[ext]
	return l, ok
}

func isStyleModule(p string) bool { return strings.HasSuffix(p, ".module.css") }

// IsSource reports whether the file at the path is in a language that no browser runs, and that
// the compiler compiles.
func IsSource(p string) bool {
	language, ok := languageOf(p)
	return ok && language != transform.JavaScript
}

// isScript reports whether the file at the path is a script already, or a source.
func isScript(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	_, isSource := languages[ext]
	return isSource || ext == ".js" || ext == ".mjs" || ext == ".cjs"
}
