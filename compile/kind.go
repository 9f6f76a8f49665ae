package compile

import (
	"path"
	"strings"

	"github.com/bellglass/bellglass/compile/transform"
)

// Reserved folders of the result (vfs.Reserved), which no file of a sandbox can be in.
const (
	scriptFolder = "/.bellglass/script"
	styleFolder  = "/.bellglass/style"
)

// ScriptPath returns where a result has what the file at the path is as a script.
func ScriptPath(p string) string { return scriptFolder + p + ".js" }

// StylePath returns where a result has what the file at the path is as a style sheet.
func StylePath(p string) string { return styleFolder + p + ".css" }

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
