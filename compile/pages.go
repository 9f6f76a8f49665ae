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
		for _, file := range p.scriptsOf(entry).named {
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

// scripts are what the scripts of a page lead to.
type scripts struct {
	// named are the paths of all scripts, of the imports in inline scripts, and of the targets of
	// import maps. The path of a folder names all files in it.
	named []string
	// mains are the module scripts whose imports a header can name. There are none if the page has
	// an import map, because a map does not change what has loaded before it.
	mains []main
}

// A main is a module script of a page.
type main struct {
	path string
	url  string // from the page's origin, without the fragment
}

// scriptsOf reads a page. The result is empty if it has just changed on disk: the next revision has
// it.
func (p *project) scriptsOf(page vfs.Entry) scripts {
	key := "scripts " + page.Hash.String() + " " + page.Path
	found, ok := get[scripts](p.compiler.cache, key)
	if ok {
		return found
	}
	blob, _ := p.files.Blob(page.Hash)
	text, err := blob.Bytes()
	if err != nil {
		return scripts{}
	}
	read := readScripts(text)
	base := &url.URL{Path: page.Path}
	if to, err := base.Parse(read.base); err == nil {
		base = to
	}
	size := 0
	each := func(addresses []string, do func(*url.URL)) {
		for _, address := range addresses {
			if to, err := base.Parse(strings.TrimSpace(address)); err == nil && to.Scheme == "" && to.Host == "" {
				do(to)
				size += 2*len(address) + 32
			}
		}
	}
	each(read.addresses, func(to *url.URL) { found.named = append(found.named, to.Path) })
	if !read.hasImportMap {
		each(read.modules, func(to *url.URL) { found.mains = append(found.mains, main{to.Path, to.RequestURI()}) })
	}
	put(p.compiler.cache, key, found, size)
	return found
}

// A reading is what a page says of its scripts. The addresses are not resolved.
type reading struct {
	addresses    []string // all that namedIn or an attribute names
	modules      []string // of module scripts that load as the modules do that they import
	hasImportMap bool
	base         string // the address of the base element
}

func readScripts(page []byte) (found reading) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := tokens.Token()
		switch token.Data {
		case "base":
			if href := attribute(token, "href"); found.base == "" {
				found.base = href
			}
		case "script":
			for _, name := range []string{"src", "href", "xlink:href"} {
				if address := attribute(token, name); address != "" {
					found.addresses = append(found.addresses, address)
				}
			}
			if src := attribute(token, "src"); src != "" && loadsAsImport(token) {
				found.modules = append(found.modules, src)
			}
			found.hasImportMap = found.hasImportMap || isImportMap(token)
			if kind == html.StartTagToken && tokens.Next() == html.TextToken {
				found.addresses = append(found.addresses, namedIn(tokens.Raw(), isImportMap(token))...)
			}
		}
	}
	return found
}

// loadsAsImport reports whether a script is a module that loads as an imported one does.
func loadsAsImport(token html.Token) bool {
	return strings.EqualFold(attribute(token, "type"), "module") && attribute(token, "integrity") == "" && !strings.EqualFold(attribute(token, "crossorigin"), "use-credentials")
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
