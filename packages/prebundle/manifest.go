package prebundle

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A manifest is what package.json says of a package's files.
type manifest struct {
	exports *node // nil if there are none
	imports *node
	main    string
	module  string
	browser string             // the entry for browsers
	replace map[string]*string // files and packages that browsers get another one for, or nothing
	jsnext  string
}

// A node is a JSON value with the order of its keys, which decides between conditions.
type node struct {
	text   string
	isText bool
	isNull bool
	list   []*node
	keys   []string // of an object
	values []*node
	object bool
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.values[i]
		}
	}
	return nil
}

// readManifest reads package.json. A package without one has only files.
func readManifest(files Files) (*manifest, error) {
	text, err := files.ReadFile("package.json")
	if err != nil {
		return &manifest{}, nil
	}
	return parseManifest(text)
}

func parseManifest(text []byte) (*manifest, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	root, err := decodeNode(decoder, 0)
	if err != nil {
		return nil, fmt.Errorf("package.json cannot be read: %w", err)
	}
	m := &manifest{exports: root.get("exports"), imports: root.get("imports")}
	if m.exports != nil && m.exports.isNull {
		m.exports = nil
	}
	for key, to := range map[string]*string{"main": &m.main, "module": &m.module, "jsnext:main": &m.jsnext, "browser": &m.browser} {
		if n := root.get(key); n != nil && n.isText {
			*to = n.text
		}
	}
	if n := root.get("browser"); n != nil && n.object {
		m.replace = map[string]*string{}
		for i, key := range n.keys {
			if m.replace[key] = nil; n.values[i].isText {
				m.replace[key] = &n.values[i].text
			}
		}
	}
	return m, nil
}

// maxDepth keeps a hostile file from using the whole stack.
const maxDepth = 100

func decodeNode(d *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d levels deep", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{}
	switch t := token.(type) {
	case string:
		n.text, n.isText = t, true
	case nil:
		n.isNull = true
	case json.Delim:
		n.object = t == '{'
		for d.More() {
			if n.object {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, key.(string))
			}
			value, err := decodeNode(d, depth+1)
			if err != nil {
				return nil, err
			}
			if n.object {
				n.values = append(n.values, value)
			} else {
				n.list = append(n.list, value)
			}
		}
		_, err = d.Token()
	}
	return n, err
}
