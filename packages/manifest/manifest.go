// Package manifest reads and edits package.json.
//
// A caller wants [Dependencies] and [SetDependencies]. An edit keeps everything else of the
// file as its author has written it: order, indentation, line ends.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// File is the name of the file.
const File = "package.json"

// Dependencies returns the ranges of dependencies by name.
func Dependencies(text []byte) (map[string]string, error) {
	fail := func(err error) error { return fmt.Errorf("%s cannot be read: %w; mend the file", File, err) }
	var file map[string]json.RawMessage // a struct would also take DEPENDENCIES
	if err := json.Unmarshal(trimBOM(text), &file); err != nil {
		return nil, fail(err)
	}
	ranges := map[string]string{}
	if of, ok := file["dependencies"]; ok {
		if err := json.Unmarshal(of, &ranges); err != nil {
			return nil, fail(err)
		}
	}
	if ranges == nil { // null
		ranges = map[string]string{}
	}
	return ranges, nil
}

func trimBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// A span is a part of a text, by its offsets.
type span struct{ start, end int }

// A member is a key of an object with the places of key and value.
type member struct {
	name       string
	key, value span
}

// SetDependencies returns the file with these ranges in dependencies. An empty text becomes a
// new file. A new name goes where the order of names wants it.
func SetDependencies(text []byte, ranges map[string]string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if _, err := Dependencies(text); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(ranges))
	for name := range ranges {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var err error
		if text, err = set(text, name, ranges[name]); err != nil {
			return nil, fmt.Errorf("%s cannot be edited: %w", File, err)
		}
	}
	return text, nil
}

func set(text []byte, name, wanted string) ([]byte, error) {
	value := quote(wanted)
	root, rootSpan, err := members(text, 0)
	if err != nil {
		return nil, err
	}
	i := -1
	for j, m := range root {
		if m.name == "dependencies" { // the last one counts, as for all readers
			i = j
		}
	}
	unit, newline := layout(text, root)
	entry := quote(name) + ": " + value
	if i < 0 {
		return insert(text, rootSpan, root, len(root), `"dependencies": {`+newline+unit+unit+entry+newline+unit+"}", newline+unit, newline), nil
	}
	if text[root[i].value.start] != '{' { // null
		return splice(text, root[i].value, "{"+newline+unit+unit+entry+newline+unit+"}"), nil
	}
	all, inner, err := members(text, root[i].value.start)
	if err != nil {
		return nil, err
	}
	at := len(all)
	for j, m := range all {
		if m.name == name {
			return splice(text, m.value, value), nil
		}
		if m.name > name && at == len(all) {
			at = j
		}
	}
	return insert(text, inner, all, at, entry, newline+unit+unit, newline+unit), nil
}

func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // of a string, which cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// insert puts an entry before the member at, with the white space around it.
func insert(text []byte, object span, all []member, at int, entry, before, after string) []byte {
	switch {
	case len(all) == 0:
		return splice(text, span{object.start + 1, object.end - 1}, before+entry+after)
	case at == len(all):
		end := all[at-1].value.end
		return splice(text, span{end, end}, ","+before+entry)
	}
	start := all[at].key.start
	return splice(text, span{start, start}, entry+","+before)
}

func splice(text []byte, at span, with string) []byte {
	return slices.Concat(text[:at.start], []byte(with), text[at.end:])
}

// layout returns the indentation of the file, and its line ends.
func layout(text []byte, root []member) (unit, newline string) {
	unit, newline = "  ", "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	if len(root) > 0 {
		line := text[bytes.LastIndexByte(text[:root[0].key.start], '\n')+1 : root[0].key.start]
		switch {
		case len(bytes.TrimSpace(line)) == 0 && len(line) > 0:
			unit = string(line)
		case !bytes.Contains(text[:root[0].key.start], []byte("\n")):
			unit, newline = "", "" // all on one line
		}
	}
	return unit, newline
}

// members returns the members of the object that begins at or after an offset.
func members(text []byte, from int) (all []member, object span, err error) {
	if from == 0 {
		from = len(text) - len(trimBOM(text))
	}
	d := json.NewDecoder(bytes.NewReader(text[from:]))
	offset := func() int { return from + int(d.InputOffset()) }
	token, err := d.Token()
	if err != nil {
		return nil, span{}, err
	}
	if token != json.Delim('{') {
		return nil, span{}, fmt.Errorf("it is not an object")
	}
	object.start = offset() - 1
	for d.More() {
		var m member
		token, err := d.Token()
		if err != nil {
			return nil, span{}, err
		}
		m.name = token.(string) // keys are strings
		m.key.end = offset()
		m.key.start = keyStart(text, object, all)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, span{}, err
		}
		m.value = span{offset() - len(value), offset()}
		all = append(all, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, span{}, err
	}
	object.end = offset()
	return all, object, nil
}

// keyStart returns where the next key begins: at the first quote behind the last member.
func keyStart(text []byte, object span, all []member) int {
	at := object.start + 1
	if len(all) > 0 {
		at = all[len(all)-1].value.end
	}
	return at + bytes.IndexByte(text[at:], '"')
}
