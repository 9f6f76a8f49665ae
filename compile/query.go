package compile

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// The queries of imports, with the meaning that Vite gives them. The compiler adds a separate module
// for each file and query, such as /a.txt?raw.js.
const (
	queryRaw    = "?raw"    // the text
	queryInline = "?inline" // the text of a style sheet, which is then not loaded
	queryURL    = "?url"    // the address
	queryWorker = "?worker" // a constructor of a worker with the file as its script
)

// queried returns the path of the module for a file and a query.
func queried(file, query string) string { return file + query + ".js" }

// cutQuery splits an imported path into the file and its query.
func cutQuery(path string) (file, query string, ok bool) {
	for _, query := range []string{queryRaw, queryInline, queryURL, queryWorker} {
		if file, ok := strings.CutSuffix(path, query); ok {
			return file, query, true
		}
	}
	return "", "", false
}

// addQueried adds the module for a file and a query.
func (p *project) addQueried(added map[string][]byte, file, query string) {
	address := quoted(vfs.URLPath(file))
	at := queried(file, query)
	switch query {
	case queryURL:
		added[at] = fmt.Appendf(nil, "export default %s;\n", address)
	case queryWorker:
		added[at] = fmt.Appendf(nil, "export default class extends Worker {\n  constructor(options) { super(%s, { ...options, type: 'module' }); }\n}\n", address)
	default:
		entry, _ := p.files.Lookup(file)
		if entry.Size > transform.MaxSource {
			d := protocol.Diagnostic{Severity: protocol.SeverityError, File: file, Line: 1, Column: 1,
				Text: fmt.Sprintf("The file has %d bytes, and a text that is imported has at most %d. Fetch it instead.", entry.Size, transform.MaxSource)}
			p.problems = append(p.problems, d)
			added[at] = throwing(d, "", []string{"default"})
			return
		}
		blob, _ := p.files.Blob(entry.Hash)
		text, err := blob.Bytes()
		if err != nil {
			return // it has just changed on disk; the next revision has it
		}
		added[at] = fmt.Appendf(nil, "export default %s;\n", quoted(strings.ToValidUTF8(string(text), "\ufffd")))
	}
}
