package server

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server/api"
)

var (
	asText = reflect.TypeFor[encoding.TextMarshaler]()
	// closedTypes are the types whose values are all known.
	closedTypes = map[reflect.Type][]any{
		reflect.TypeFor[rules.Action](): {rules.Block.String(), rules.Allow.String()},
		reflect.TypeFor[rules.Type]():   anys(rules.Types),
		reflect.TypeFor[rules.Code]():   anys(rules.Codes),
	}
	// An event has one of these types.
	loggedTypes = []reflect.Type{
		reflect.TypeFor[protocol.VerdictEvent](), reflect.TypeFor[protocol.ViolationEvent](), reflect.TypeFor[protocol.ConsoleEvent](),
		reflect.TypeFor[protocol.ErrorEvent](), reflect.TypeFor[protocol.LifecycleEvent](),
	}
)

// A literal is the type of a field with only one value.
type literal interface{ Literal() string }

func anys[T ~string](all []T) (texts []any) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}

// schema describes a type as encoding/json encodes it.
func (d *documenter) schema(t reflect.Type) *openapi3.SchemaRef {
	switch {
	case t.Kind() == reflect.Pointer:
		return d.schema(t.Elem())
	case closedTypes[t] != nil:
		return openapi3.NewStringSchema().WithEnum(closedTypes[t]...).NewRef()
	case t == reflect.TypeFor[time.Time]():
		return openapi3.NewDateTimeSchema().NewRef()
	case t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[jsontext.Value]():
		return openapi3.NewSchema().NewRef() // any value
	case t == reflect.TypeFor[api.LoggedEvent]():
		return d.event()
	case t.Implements(reflect.TypeFor[literal]()):
		name := openapi3.NewStringSchema()
		name.Const = reflect.Zero(t).Interface().(literal).Literal()
		return name.NewRef()
	case t.Implements(asText):
		return openapi3.NewStringSchema().NewRef()
	}
	switch t.Kind() {
	case reflect.String:
		return openapi3.NewStringSchema().WithEnum(anys(d.words.of(t).values)...).NewRef()
	case reflect.Bool:
		return openapi3.NewBoolSchema().NewRef()
	case reflect.Int, reflect.Int64:
		return openapi3.NewInt64Schema().NewRef()
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return openapi3.NewBytesSchema().NewRef()
		}
		list := openapi3.NewArraySchema()
		list.Items = d.schema(t.Elem())
		return list.NewRef()
	case reflect.Map:
		object := openapi3.NewObjectSchema()
		if t.Elem().Kind() == reflect.Interface {
			return object.WithAnyAdditionalProperties().NewRef()
		}
		object.AdditionalProperties.Schema = d.schema(t.Elem())
		if t.Elem().Kind() == reflect.Pointer { // null has a meaning
			types := append(*object.AdditionalProperties.Schema.Value.Type, openapi3.TypeNull)
			object.AdditionalProperties.Schema.Value.Type = &types
		}
		return object.NewRef()
	case reflect.Struct:
		if t.Name() == "" && t.NumField() == 0 {
			return openapi3.NewObjectSchema().NewRef()
		}
		return d.object(t)
	}
	panic(fmt.Sprintf("a %v has no schema", t))
}

// event describes all types of events together.
func (d *documenter) event() *openapi3.SchemaRef {
	const name = "Event"
	if d.schemas[name] == nil {
		event := openapi3.NewSchema()
		event.Description = "One of the events of a sandbox's log. The type says which."
		event.Discriminator = &openapi3.Discriminator{PropertyName: "type", Mapping: map[string]openapi3.MappingRef{}}
		for _, t := range loggedTypes {
			one := d.object(t)
			event.OneOf = append(event.OneOf, one)
			kind, _ := t.FieldByName("Type")
			event.Discriminator.Mapping[reflect.Zero(kind.Type).Interface().(literal).Literal()] = openapi3.MappingRef{Ref: one.Ref}
		}
		d.schemas[name] = event.NewRef()
	}
	return openapi3.NewSchemaRef("#/components/schemas/"+name, d.schemas[name].Value)
}

// object describes a struct once, by its name. A member is optional if encoding/json may leave
// it out.
func (d *documenter) object(t reflect.Type) *openapi3.SchemaRef {
	if d.schemas[t.Name()] == nil {
		object := openapi3.NewObjectSchema()
		object.Description = d.words.of(t).text
		d.schemas[t.Name()] = object.NewRef()
		for _, field := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || field.Anonymous && name == "" { // VisibleFields lists the members of an embedded struct separately
				continue
			}
			object.WithPropertyRef(name, described(d.schema(field.Type), d.words.ofField(t, field, name)))
			if options != "omitempty" && options != "omitzero" {
				object.Required = append(object.Required, name)
			}
		}
		if slices.Contains(requestTypes, t) {
			object.WithoutAdditionalProperties()
		}
	}
	return openapi3.NewSchemaRef("#/components/schemas/"+t.Name(), d.schemas[t.Name()].Value)
}

// described adds a text to a schema, or beside the reference if the schema is one.
func described(schema *openapi3.SchemaRef, text string) *openapi3.SchemaRef {
	switch {
	case text == "":
	case schema.Ref == "":
		schema.Value.Description = text
	default:
		of := openapi3.NewSchema()
		of.Description, of.AllOf = text, openapi3.SchemaRefs{schema}
		return of.NewRef()
	}
	return schema
}

// requestTypes accept only the members that they have. Answers may get more members later.
var requestTypes = []reflect.Type{reflect.TypeFor[NewSandbox](), reflect.TypeFor[NewWarm](), reflect.TypeFor[SandboxPatch](), reflect.TypeFor[FileContent](), reflect.TypeFor[FilesPatch](), reflect.TypeFor[Question](), reflect.TypeFor[ExecutionRequest](), reflect.TypeFor[AppSpec]()}
