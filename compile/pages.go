package compile

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/bellglass/bellglass/vfs"
)

// isPage reports whether a file of the MIME type is a page.
func isPage(kind string) bool {
	return strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "application/xhtml+xml")
}

// markEntries marks the modules that the pages of the sandbox run or import. It returns false if a
// page is too large to be read.
func (p *project) markEntries(m *Modules) bool {
	folders := map[string]bool{}
	for entry := range p.files.Entries() {
		if !isPage(entry.Type) {
			continue
		}
		if entry.Size > largestPage {
			return false
		}
		for _, file := range p.namedBy(entry) {
			if strings.HasSuffix(file, "/") {
				folders[file] = true
			}
			for _, path := range []string{file, publicFolder + file} {
				if n := m.nodes[path]; n != nil {
					n.isEntry = true
				}
			}
		}
	}
	for path, n := range m.nodes {
		for end := strings.LastIndexByte(path, '/'); len(folders) > 0 && end >= 0; end = strings.LastIndexByte(path[:end], '/') {
			n.isEntry = n.isEntry || folders[path[:end+1]]
		}
	}
	return true
}

// namedBy returns the paths that the scripts of a page name. The path of a folder names all files in
// it.
func (p *project) namedBy(page vfs.Entry) []string {
	key := "scripts " + page.Hash.String() + " " + page.Path
	paths, ok := get[[]string](p.compiler.cache, key)
	if ok {
		return paths
	}
	blob, _ := p.files.Blob(page.Hash)
	text, err := blob.Bytes()
	if err != nil {
		return nil // it has just changed on disk; the next revision has it
	}
	base := &url.URL{Path: page.Path}
	addresses, baseHref := scriptsOf(text)
	if to, err := base.Parse(baseHref); err == nil {
		base = to
	}
	size := 0
	for _, address := range addresses {
		if to, err := base.Parse(strings.TrimSpace(address)); err == nil && to.Scheme == "" && to.Host == "" {
			paths = append(paths, to.Path)
			size += len(to.Path) + 16
		}
	}
	put(p.compiler.cache, key, paths, size)
	return paths
}

// scriptsOf returns the addresses of the scripts of a page, those of the imports in its inline
// scripts, and those in its import maps. base is the address of its base element.
func scriptsOf(page []byte) (addresses []string, base string) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := tokens.Token()
		switch token.Data {
		case "base":
			if href := attribute(token, "href"); base == "" {
				base = href
			}
		case "script":
			for _, name := range []string{"src", "href", "xlink:href"} {
				if address := attribute(token, name); address != "" {
					addresses = append(addresses, address)
				}
			}
			if kind == html.StartTagToken && tokens.Next() == html.TextToken {
				addresses = append(addresses, namedIn(tokens.Raw(), isImportMap(token))...)
			}
		}
	}
	return addresses, base
}

func attribute(token html.Token, name string) string {
	for _, attribute := range token.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}

// namedIn returns the addresses in an inline script, or in an import map.
func namedIn(text []byte, isImportMap bool) (addresses []string) {
	add := func(address string) {
		if strings.HasPrefix(address, "/") || isRelative(address) { // otherwise it names no file
			addresses = append(addresses, address)
		}
	}
	if !isImportMap {
		for _, found := range imports.FindAllSubmatch(text, -1) {
			add(string(found[1]) + string(found[2]))
		}
		return addresses
	}
	var parsed importMap
	if json.Unmarshal(text, &parsed) != nil {
		return nil
	}
	maps := []map[string]any{parsed.Imports}
	for _, scope := range parsed.Scopes {
		maps = append(maps, scope)
	}
	for _, each := range maps {
		for _, address := range each {
			if text, ok := address.(string); ok {
				add(text)
			}
		}
	}
	return addresses
}
