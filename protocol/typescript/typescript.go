// Package typescript renders Go types as TypeScript, for tests that keep the two in step. It
// supports only what the protocol needs: structs with json tags, named string types with a
// closed set of values, slices, maps, times, and constant fields. It panics for anything else,
// so it never renders a type wrongly.
//
// [Module.Render] renders a module. [Module.Check] compares a committed file with it. No
// production code imports this package.
package typescript

import (
	"encoding"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A Module is one generated file.
type Module struct {
	// Header is the beginning of the file: a comment and imports.
	Header string
	// Consts are exported constants, as JSON-like text by name.
	Consts map[string]string
	// Enums gives the closed set of values of each named string type.
	Enums []Enum
	// Structs are rendered as interfaces of the same name, in this order.
	Structs []any
	// Unions are rendered as a union of interfaces, by name.
	Unions map[string][]any
	// External names types that the header imports from elsewhere.
	External map[reflect.Type]string
}

// Enum is a named string type with its values.
type Enum struct {
	Type   any
	Values []string
}

// Values turns typed string constants into the values of an [Enum].
func Values[T ~string](all ...T) Enum {
	e := Enum{Type: *new(T)}
	for _, v := range all {
		e.Values = append(e.Values, string(v))
	}
	return e
}

type literal interface{ Literal() string }

var (
	timeType    = reflect.TypeFor[time.Time]()
	literalType = reflect.TypeFor[literal]()
	textType    = reflect.TypeFor[encoding.TextMarshaler]()
)

// Render returns the module's text.
func (m Module) Render() string {
	var b strings.Builder
	b.WriteString(m.Header)
	for _, name := range slices.Sorted(maps.Keys(m.Consts)) {
		fmt.Fprintf(&b, "\nexport const %s = %s as const;\n", name, m.Consts[name])
	}
	for _, e := range m.Enums {
		quoted := make([]string, len(e.Values))
		for i, v := range e.Values {
			quoted[i] = fmt.Sprintf("%q", v)
		}
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", reflect.TypeOf(e.Type).Name(), strings.Join(quoted, " | "))
	}
	for _, s := range m.Structs {
		t := reflect.TypeOf(s)
		fmt.Fprintf(&b, "\nexport interface %s {\n", t.Name())
		m.fields(&b, t)
		b.WriteString("}\n")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Unions)) {
		members := make([]string, 0, len(m.Unions[name]))
		for _, s := range m.Unions[name] {
			members = append(members, reflect.TypeOf(s).Name())
		}
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", name, strings.Join(members, " | "))
	}
	return b.String()
}

// Check compares the file with what the module renders. If update is set, it writes the file
// first. command is the command that writes the file, for the error.
func (m Module) Check(file string, update bool, command string) error {
	want := m.Render()
	if update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			return err
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if string(got) != want {
		return fmt.Errorf("%s is not what the Go types say; run: %s", file, command)
	}
	return nil
}

func (m Module) fields(b *strings.Builder, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			m.fields(b, f.Type)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			panic(fmt.Sprintf("%s.%s has no json name", t, f.Name))
		}
		if name == "-" {
			continue
		}
		optional := ""
		if strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero") {
			optional = "?"
		}
		text := f.Tag.Get("ts")
		if text == "" {
			text = m.typeOf(f.Type)
		}
		fmt.Fprintf(b, "  readonly %s%s: %s;\n", name, optional, text)
	}
}

func (m Module) typeOf(t reflect.Type) string {
	if name, ok := m.External[t]; ok {
		return name
	}
	switch {
	case t.Implements(literalType):
		return fmt.Sprintf("%q", reflect.Zero(t).Interface().(literal).Literal())
	case t == timeType:
		return "string"
	case t.Kind() == reflect.String && t.PkgPath() != "":
		for _, e := range m.Enums {
			if reflect.TypeOf(e.Type) == t {
				return t.Name()
			}
		}
		panic(fmt.Sprintf("no values are listed for %s", t))
	case t.Implements(textType):
		return "string"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint16, reflect.Uint32:
		return "number"
	case reflect.Slice:
		return "readonly " + m.typeOf(t.Elem()) + "[]"
	case reflect.Map:
		return fmt.Sprintf("Readonly<Record<%s, %s>>", m.typeOf(t.Key()), m.typeOf(t.Elem()))
	case reflect.Pointer:
		return m.typeOf(t.Elem()) + " | null"
	case reflect.Struct:
		for _, s := range m.Structs {
			if reflect.TypeOf(s) == t {
				return t.Name()
			}
		}
	}
	panic(fmt.Sprintf("no TypeScript for %s", t))
}
