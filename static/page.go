package static

import (
	"html"
	"strings"
)

const style = ":root{color-scheme:light dark}body{margin:2rem;font:15px/1.6 ui-monospace,monospace}pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}"

// NotFoundPage shows the text of [NotFound]. The sandbox chose the names in that text,
// so it is escaped.
func NotFoundPage(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	return `<!doctype html><meta charset="utf-8"><title>404</title><style>` + style + `</style><pre><b>` + html.EscapeString(first) + "</b>\n" + html.EscapeString(rest) + `</pre>`
}

// FolderPage is a document that redirects to an absolute address.
func FolderPage(address string) string {
	return `<!doctype html><meta charset="utf-8"><title>Folder</title><meta http-equiv="refresh" content="0;url=` + html.EscapeString(address) + `">`
}
