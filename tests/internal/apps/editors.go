package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Editors, into which a user types.
var editors = []App{
	{
		Name: "monaco",
		// The last version whose min/vs is a plain AMD tree with file names that do not change.
		Packages: []npm.Package{{Name: "monaco-editor", Version: "0.52.2", Integrity: "sha512-GEQWEZmfkOGLdd3XK8ryrfWz3AIP8YymVXiPHEdewrUq7mh0qrKrfHLNCXcbB6sTnMLnOZ3ztSiKcciFUkIJwQ=="}},
		Load:     []string{"monaco-editor/min/vs/loader.js"},
		Also:     []string{"monaco-editor/min/vs"},
		Scripts:  []string{"blob"}, // its workers start from a blob
		Do:       []Step{{Into: ".monaco-editor textarea.inputarea", Type: "const bells = [1, 2]\nbells.flat"}},
		// The completion comes from the TypeScript compiler in a worker.
		See: []Sight{{".suggest-widget .monaco-list-row.focused .label-name", "flat"}},
		// Feature detection of a library in the worker, which works without.
		Blocked: []string{"eval"},
	},
	{
		Name:     "tinymce",
		Packages: []npm.Package{{Name: "tinymce", Version: "8.2.2", Integrity: "sha512-CFDSZwciMvFGW2czK/Xig1HcOGpXI0qcQMIqaIcG2F4RuuTdf+LQTreyEZunAJoFTQ9L0KAugOqL7OA5TJkoAA=="}},
		Load:     []string{"tinymce/tinymce.min.js"},
		Also:     []string{"tinymce/themes", "tinymce/models", "tinymce/icons", "tinymce/skins/ui/oxide", "tinymce/skins/content/default", "tinymce/plugins/lists"},
		Body:     "<textarea id=\"text\"></textarea>\n",
		Do:       []Step{{Click: "[data-mce-name=bold]"}},
		See:      []Sight{{"#seen", "<p><strong>six bells</strong></p>"}},
	},
	{
		Name:     "quill",
		Packages: []npm.Package{{Name: "quill", Version: "2.0.3", Integrity: "sha512-xEYQBqfYx/sfb33VJiKnSJp8ehloavImQ2A6564GAbqG55PGw1dAWUn1MUbQB62t0azawUS2CZZhWCjO8gRvTw=="}},
		Load:     []string{"quill/dist/quill.snow.css", "quill/dist/quill.js"},
		Do:       []Step{{Click: ".ql-bold"}, {Into: ".ql-editor", Type: "six bells"}},
		See:      []Sight{{".ql-editor strong", "six bells"}},
	},
	{
		Name:     "codemirror", // The last major version with files for a browser without a bundler.
		Packages: []npm.Package{{Name: "codemirror", Version: "5.65.20", Integrity: "sha512-i5dLDDxwkFCbhjvL2pNjShsojoL3XHyDwsGv1jqETUoW+lzpBKKqNTUWgQwVAOa0tUm4BwekT455ujafi8payA=="}},
		Load:     []string{"codemirror/lib/codemirror.css", "codemirror/lib/codemirror.js", "codemirror/mode/javascript/javascript.js"},
		Do:       []Step{{Into: ".CodeMirror textarea", Type: "const bells = 6"}},
		See:      []Sight{{".cm-keyword", "const"}, {".cm-number", "6"}},
	},
	{
		Name:     "xterm",
		Packages: []npm.Package{{Name: "@xterm/xterm", Version: "5.5.0", Integrity: "sha512-hqJHYaQb5OptNunnyAnkHyM8aCjZ1MEIDTQu1iIbbTD/xops91NB5yq1ZK/dC2JDbVWtF23zUtl9JE2NqwT87A=="}},
		Load:     []string{"@xterm/xterm/css/xterm.css", "@xterm/xterm/lib/xterm.js"},
		Do:       []Step{{Into: ".xterm-helper-textarea", Type: "ring"}},
		See:      []Sight{{".xterm-rows", "$ ring"}},
	},
}
