package compile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// styleModule is the module of a style sheet. It waits for the sheet, so that nothing that
// imports it runs without its styles. Sheets load at once, and stand in the order of the imports.
// A link, unlike a style element, leaves the addresses in the sheet right, and needs no
// permission for inline styles. A worker has no document, and needs no styles.
const styleModule = `if (typeof document !== 'undefined') {
  const href = %[1]s;
  if (document.querySelector('link[rel="stylesheet"][href="' + CSS.escape(href) + '"]') === null) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    await new Promise((done) => {
      link.onload = link.onerror = done;
      (document.head ?? document.documentElement).append(link);
    });
  }
}
`

// assetOf returns the module of a file that is no source: a style sheet is loaded, JSON is a
// value, and anything else is its URL.
func assetOf(path string, content vfs.Blob) (script []byte, problems []protocol.Diagnostic) {
	switch {
	case strings.HasSuffix(path, ".json"):
		return jsonModule(path, content)
	case strings.HasSuffix(path, ".css"):
		return fmt.Appendf(nil, styleModule, quoted(vfs.URLPath(path))), nil
	default:
		return fmt.Appendf(nil, "export default %s;\n", quoted(vfs.URLPath(path))), nil
	}
}

func jsonModule(path string, content vfs.Blob) ([]byte, []protocol.Diagnostic) {
	text, err := content.Bytes()
	if err != nil {
		return nil, nil // it has just changed on disk; the next revision has it
	}
	out := transform.Emit(transform.Source{Path: path, Language: transform.JSON, Text: string(text)}, nil)
	return out.Code, out.Problems
}

// throwing is the module of a file with an error. It exports the names that others import from
// it: otherwise the browser would only say that they are missing.
func throwing(d protocol.Diagnostic, names []string) []byte {
	var b strings.Builder
	message := fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Text)
	fmt.Fprintf(&b, "throw Object.assign(new SyntaxError(%s), { name: 'CompileError' });\n", quoted(message))
	if len(names) > 0 {
		b.WriteString("let missing;\nexport {")
		for _, name := range names {
			fmt.Fprintf(&b, " missing as %s,", quoted(name))
		}
		b.WriteString(" };\n")
	}
	return []byte(b.String())
}

// quoted writes a text as a string of JavaScript, which JSON is.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		return `""` // every string can be written
	}
	return string(data)
}
