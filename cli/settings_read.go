package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bellglass/bellglass/rules"
)

// A settingsReader reads one file and gathers its mistakes. The messages quote no
// line of the file, which can hold tokens.
type settingsReader struct {
	file     string
	text     []byte
	flags    map[string][]*kong.Flag
	mistakes []string
}

// readSettings returns the file's values by key, as kong takes them. The error says
// all that is wrong, each with file, line and column.
func readSettings(file string, text []byte, flags map[string][]*kong.Flag) (map[string]any, error) {
	r := &settingsReader{file: file, text: text, flags: flags}
	values, err := r.read()
	if err != nil {
		at := len(text)
		if syntax, is := errors.AsType[*jsontext.SyntacticError](err); is {
			at, err = int(syntax.ByteOffset), syntax.Err
		}
		r.fail(at, `write them like {"addr": "127.0.0.1:3333", "open": true}`, "the settings are not JSON: %v", err)
	}
	if len(r.mistakes) > 0 {
		return nil, fmt.Errorf("the settings are refused:\n%s", printable(strings.Join(r.mistakes, "\n")))
	}
	return values, nil
}

func (r *settingsReader) fail(at int, hint, format string, args ...any) {
	if hint != "" {
		hint = "; " + hint
	}
	line, col := r.place(at)
	r.mistakes = append(r.mistakes, fmt.Sprintf("%s:%d:%d: %s%s", r.file, line, col, fmt.Sprintf(format, args...), hint))
}

// place returns the line and the column, in characters, of a byte; both count from 1.
func (r *settingsReader) place(at int) (line, col int) {
	before := r.text[:min(at, len(r.text))]
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
}

// nextValue reads a whole value, and says where it begins.
func nextValue(d *jsontext.Decoder) (value jsontext.Value, at int, err error) {
	value, err = d.ReadValue()
	return value, int(d.InputOffset()) - len(value), err
}

// read reads the one object. Its error is that the file is not JSON.
func (r *settingsReader) read() (map[string]any, error) {
	d := jsontext.NewDecoder(bytes.NewReader(r.text), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		value, at, err := nextValue(d)
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil // no settings
		case err == nil:
			r.fail(at, "write {…}", "the settings are %s, not an object", jsonKind(value))
		}
		return nil, err
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	values, first := map[string]any{}, map[string]int{}
	for d.PeekKind() == '"' {
		quoted, at, err := nextValue(d)
		if err != nil {
			return nil, err
		}
		name := unquoted(quoted)
		value, valueAt, err := nextValue(d)
		if err != nil {
			return nil, err
		}
		flags, known := r.flags[name]
		before, again := first[name]
		switch {
		case again:
			line, col := r.place(before)
			r.fail(at, "delete one of the two", "the key %.80q stands twice, first at line %d, column %d", name, line, col)
			continue
		case !known:
			keys := slices.Sorted(maps.Keys(r.flags))
			r.fail(at, rules.Guess(name, keys), "unknown key %.80q; the keys are %s", name, strings.Join(keys, ", "))
		default:
			if values[name], err = r.value(flags, name, value, valueAt); err != nil {
				return nil, err
			}
		}
		first[name] = at
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if value, at, err := nextValue(d); err == nil {
		r.fail(at, "delete it", "after the settings there is %s", jsonKind(value))
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return values, nil
}

// value reads the value of a setting, which must be good for the flag of each command
// that has it.
func (r *settingsReader) value(flags []*kong.Flag, name string, value jsontext.Value, at int) (plain any, err error) {
	for _, flag := range flags {
		if kinds, want, hint := settingForm(flag); !strings.ContainsRune(kinds, rune(value.Kind())) {
			if value.Kind() == 'n' {
				hint = "give it a value or delete the key"
			}
			r.fail(at, hint, "%s is %s, not %s", name, jsonKind(value), want)
			return nil, nil
		}
	}
	switch value.Kind() {
	case 't', 'f':
		plain = value.Kind() == 't'
	case '0':
		plain = string(value)
	case '"':
		plain = unquoted(value)
	case '[':
		if plain, err = r.texts(name, value, at); err != nil {
			return nil, err
		}
	}
	for _, flag := range flags {
		if hint, err := takes(flag, plain); err != nil {
			r.fail(at, hint, "%s: %v", name, err)
			return nil, nil
		}
	}
	return plain, nil
}

// texts reads a list, of which each element must be text.
func (r *settingsReader) texts(name string, list jsontext.Value, at int) (texts []any, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(list), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != ']' {
		value, inside, err := nextValue(d)
		if err != nil {
			return nil, err
		}
		if value.Kind() != '"' {
			r.fail(at+inside, `write "…"`, "an element of %s is %s, not text", name, jsonKind(value))
			continue
		}
		texts = append(texts, unquoted(value))
	}
	return texts, nil
}

// unquoted is the text of a JSON string that has been read, and so is one.
func unquoted(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		panic("cli: " + err.Error())
	}
	return string(text)
}

// jsonKind names what a value is, for people.
func jsonKind(value jsontext.Value) string {
	switch value.Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '0':
		return "a number"
	case '"':
		return "text"
	case '[':
		return "a list"
	}
	return "an object"
}
