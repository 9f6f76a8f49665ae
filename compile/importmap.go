package compile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/bellglass/bellglass/vfs"
)

// importMaps are the specifiers that the import maps of a sandbox's pages name. The maps win:
// what they name is left to the browser.
type importMaps struct {
	exact    map[string]bool
	prefixes []string
}

// importMap is the JSON of one import map.
type importMap struct {
	Imports map[string]any            `json:"imports"`
	Scopes  map[string]map[string]any `json:"scopes"`
}

// largestPage is the maximum size, in bytes, of a page whose import map and scripts are read.
const largestPage = 1 << 20

func (c *Compiler) importMaps(files *vfs.Snapshot) importMaps {
	all := importMaps{exact: map[string]bool{}}
	for entry := range files.Entries() {
		if !strings.HasPrefix(entry.Type, "text/html") || entry.Size > largestPage {
			continue
		}
		key := "import map " + entry.Hash.String()
		specifiers, ok := get[[]string](c.cache, key)
		if !ok {
			blob, _ := files.Blob(entry.Hash)
			page, err := blob.Bytes()
			if err != nil {
				continue // it has just changed on disk; the next revision has it
			}
			specifiers = mapped(page)
			put(c.cache, key, specifiers, 32*len(specifiers))
		}
		all.add(specifiers)
	}
	return all
}

// mapped returns the specifiers in the import maps of a page. It ignores an invalid map, which the
// browser reports.
func mapped(page []byte) (specifiers []string) {
	if !bytes.Contains(page, []byte("importmap")) {
		return nil
	}
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken || !isImportMap(tokens.Token()) || tokens.Next() != html.TextToken {
			continue
		}
		var parsed importMap
		if json.Unmarshal(tokens.Raw(), &parsed) != nil {
			continue
		}
		specifiers = slices.AppendSeq(specifiers, maps.Keys(parsed.Imports))
		for _, scope := range parsed.Scopes {
			specifiers = slices.AppendSeq(specifiers, maps.Keys(scope))
		}
	}
	return specifiers
}

func isImportMap(token html.Token) bool {
	for _, attribute := range token.Attr {
		if token.Data == "script" && attribute.Key == "type" && strings.EqualFold(strings.TrimSpace(attribute.Val), "importmap") {
			return true
		}
	}
	return false
}

func (m *importMaps) add(specifiers []string) {
	for _, specifier := range specifiers {
		if strings.HasSuffix(specifier, "/") {
			m.prefixes = append(m.prefixes, specifier)
		} else {
			m.exact[specifier] = true
		}
	}
}

func (m *importMaps) has(specifier string) bool {
	if m.exact[specifier] {
		return true
	}
	for _, prefix := range m.prefixes {
		if strings.HasPrefix(specifier, prefix) {
			return true
		}
	}
	return false
}
