package compile

import (
	"bytes"
	"path"
	"strings"

	"github.com/bellglass/bellglass/vfs"
)

// covered returns the files whose changes the updates of modules show completely. ok is false if
// another file is not a style sheet that a document can replace in place.
func covered(files []string, covers func(file string) bool) (some []string, ok bool) {
	some = []string{}
	for _, file := range files {
		switch {
		case covers(file):
			some = append(some, file)
		case !isStyleSheet(file):
			return nil, false
		}
	}
	return some, true
}

// covers reports whether only modules use a file. Pages and style sheets use files, too, and no
// module knows of them.
//
// Sources and JSON count as used by modules only, as in Vite. A text counts as such if modules
// import only its text, and if nothing else mentions its name. A CSS module does not count: the
// document keeps the old style sheet.
func (p *project) covers(file string, graphs ...*Modules) bool {
	for _, m := range graphs {
		if n := m.nodes[file]; n != nil && n.isSource {
			return true
		}
	}
	if strings.HasSuffix(file, ".json") {
		return true
	}
	if kind := vfs.ContentType(file); isStyle(file) || isPage(kind) {
		return false
	}
	for _, m := range graphs {
		if m.nodes[file] != nil || m.nodes[file+queryURL] != nil || m.nodes[file+queryWorker] != nil {
			return false
		}
	}
	return !p.mentions(path.Base(file))
}

// mostSearched is the maximum number of bytes that mentions searches for one change.
const mostSearched = 16 << 20

// mentions reports whether a page, a style sheet, or a source may name a file otherwise than to
// import its text.
func (p *project) mentions(name string) bool {
	if url := vfs.URLPath("/" + name); url != "/"+name || strings.ContainsAny(name, "&'") {
		return true // there are several ways to write the name
	}
	for entry := range p.files.Entries() {
		if !isPage(entry.Type) && !strings.HasPrefix(entry.Type, "text/css") && !strings.HasPrefix(entry.Type, "image/svg+xml") {
			continue
		}
		blob, _ := p.files.Blob(entry.Hash)
		if p.searched += entry.Size; p.searched > mostSearched {
			return true
		}
		if text, err := blob.Bytes(); err != nil || bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	for _, s := range p.ordered {
		if p.searched += int64(len(s.Text)); p.searched > mostSearched {
			return true
		}
		if strings.Count(s.Text, name) > strings.Count(s.Text, name+queryRaw)+strings.Count(s.Text, name+queryInline) {
			return true
		}
	}
	return false
}
