package server

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
)

var update = flag.Bool("update", false, "write api/openapi.json anew; read the diff afterwards")

// The document describes the operations, all of them, and is a valid one.
func TestOpenAPI(t *testing.T) {
	s, _ := newTestServer(t)
	document := newDocument(s.operations())
	if err := document.Validate(t.Context()); err != nil {
		t.Errorf("the document is not valid: %v", err)
	}
	compact, err := document.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := json.Indent(&want, compact, "", "  "); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	if *update {
		if err := os.WriteFile("api/openapi.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		openAPI = want.Bytes()
	}
	if diff := cmp.Diff(string(openAPI), want.String()); diff != "" {
		t.Fatalf("api/openapi.json is not what the operations are; run go test ./server -run 'TestOpenAPI$' -update (-file +operations):\n%s", diff)
	}

	// Against what is really served, read from the file.
	read, err := openapi3.NewLoader().LoadFromData(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	documented, served := map[string]bool{}, map[string]bool{}
	for path, item := range read.Paths.Map() {
		for method := range item.Operations() {
			documented[method+" "+(&operation{path: path}).route()] = true
		}
	}
	for _, route := range s.host.Routes() {
		if isAPI(route.Path) && route.Method != http.MethodHead {
			served[route.Method+" "+route.Path] = true
		}
	}
	if diff := cmp.Diff(documented, served); diff != "" || len(served) < 10 {
		t.Errorf("what is documented is not what is served (-documented +served):\n%s", diff)
	}
}

// A documenter renders the table of operations as an OpenAPI document.
type documenter struct{ schemas openapi3.Schemas }

func newDocument(rows []operation) *openapi3.T {
	d := &documenter{openapi3.Schemas{}}
	document := &openapi3.T{
		OpenAPI:    "3.0.3",
		Info:       &openapi3.Info{Title: "Bellglass", Version: "1", Description: "Runs untrusted web code in a browser, under glass. docs/api.md shows this API by example."},
		Servers:    openapi3.Servers{{URL: apiRoot}},
		Paths:      openapi3.NewPaths(),
		Security:   openapi3.SecurityRequirements{{"token": {}}},
		Components: &openapi3.Components{SecuritySchemes: openapi3.SecuritySchemes{"token": {Value: openapi3.NewSecurityScheme().WithType("http").WithScheme("bearer")}}},
	}
	for i := range rows {
		document.AddOperation(rows[i].path, rows[i].method, d.operation(&rows[i]))
	}
	document.Components.Schemas = d.schemas
	return document
}

var pathParameters = regexp.MustCompile(`\{(\w+)\}`)

func (d *documenter) operation(row *operation) *openapi3.Operation {
	o := openapi3.NewOperation()
	o.OperationID, o.Summary = row.id, row.summary
	for _, found := range pathParameters.FindAllStringSubmatch(row.path, -1) {
		schema, text := openapi3.NewStringSchema(), "A file's path without the slash at its beginning. Slashes in it may be encoded."
		if found[1] == "id" {
			schema, text = schema.WithPattern("^[a-z2-7]{26}$"), "A sandbox's id."
		}
		o.AddParameter(openapi3.NewPathParameter(found[1]).WithSchema(schema).WithDescription(text))
	}
	for _, p := range row.query {
		o.AddParameter(openapi3.NewQueryParameter(p.name).WithSchema(openapi3.NewStringSchema()).WithDescription(p.text))
	}
	headers := row.header
	if row.revised {
		headers = append(slices.Clip(headers), parameter{"If-Match", `A revision in quotes, "3": at another one the request is refused.`})
	}
	for _, p := range headers {
		o.AddParameter(openapi3.NewHeaderParameter(p.name).WithSchema(openapi3.NewStringSchema()).WithDescription(p.text))
	}
	if row.takes != nil {
		o.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithContent(d.content(*row.takes))}
	}
	for _, a := range row.answers {
		response := openapi3.NewResponse().WithDescription(http.StatusText(a.status))
		if a.media != "" {
			response.Content = d.content(a.content)
		}
		told := a.header
		if row.revised && row.id != "deleteSandbox" {
			told = append(slices.Clip(told), parameter{"ETag", "The sandbox's revision in quotes."})
		}
		for _, p := range told {
			if response.Headers == nil {
				response.Headers = openapi3.Headers{}
			}
			response.Headers[p.name] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Description: p.text, Schema: openapi3.NewStringSchema().NewRef()}}}
		}
		o.AddResponse(a.status, response)
	}
	problem := openapi3.NewResponse().WithDescription("A refusal, with one of the codes " + strings.Join(row.refusals(), ", ") + ".").
		WithContent(openapi3.Content{mediaProblem: {Schema: d.schema(reflect.TypeFor[Problem]())}})
	o.Responses.Set("default", &openapi3.ResponseRef{Value: problem})
	return o
}

// refusals are the codes with which the operation may refuse, in the order of the
// table of codes.
func (o *operation) refusals() (names []string) {
	for _, c := range codes {
		if slices.Contains(o.codes, c.name) || c.general && o.may(c.name) {
			names = append(names, c.name)
		}
	}
	return names
}

// may reports whether one of the general codes can come from the operation.
func (o *operation) may(name string) bool {
	switch name {
	case "unknown-sandbox":
		return o.ofSandbox()
	case "stale-revision":
		return o.revised
	case "body", "body-timeout", "body-too-large", "unsupported-type", "busy":
		return o.takes != nil
	case "bad-json":
		return o.takes != nil && o.takes.media == mediaJSON
	}
	return true
}

func (d *documenter) content(c content) openapi3.Content {
	schema := openapi3.NewStringSchema().NewRef()
	switch {
	case c.media == mediaJSON:
		schema = d.schema(reflect.TypeOf(c.of))
	case c.of == nil:
		schema.Value.Format = "binary"
	}
	all := openapi3.Content{}
	for _, media := range append([]string{c.media}, c.also...) {
		all[media] = &openapi3.MediaType{Schema: schema}
	}
	return all
}

var (
	asText = reflect.TypeFor[encoding.TextMarshaler]()
	// closedTypes are the types of which every value is known.
	closedTypes = map[reflect.Type][]any{
		reflect.TypeFor[rules.Action](): {rules.Block.String(), rules.Allow.String()},
		reflect.TypeFor[rules.Type]():   anys(rules.Types),
		reflect.TypeFor[rules.Code]():   anys(rules.Codes),
	}
)

func anys[T ~string](all []T) (texts []any) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}

// schema describes a type as encoding/json writes it.
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
	case t.Implements(asText):
		return openapi3.NewStringSchema().NewRef()
	}
	switch t.Kind() {
	case reflect.String:
		return openapi3.NewStringSchema().NewRef()
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
		return object.NewRef()
	case reflect.Struct:
		if t.Name() == "" && t.NumField() == 0 {
			return openapi3.NewObjectSchema().NewRef()
		}
		return d.object(t)
	}
	panic(fmt.Sprintf("a %v has no schema", t))
}

// object describes a struct once, by its name. A member that may be left out is one
// that encoding/json may leave out.
func (d *documenter) object(t reflect.Type) *openapi3.SchemaRef {
	if d.schemas[t.Name()] == nil {
		object := openapi3.NewObjectSchema()
		d.schemas[t.Name()] = object.NewRef()
		for _, field := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || field.Anonymous && name == "" { // the members of what is embedded come by themselves
				continue
			}
			object.WithPropertyRef(name, d.schema(field.Type))
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

// requestTypes take no other members than theirs. An answer may have more one day.
var requestTypes = []reflect.Type{reflect.TypeFor[NewSandbox](), reflect.TypeFor[FileContent](), reflect.TypeFor[FilesPatch](), reflect.TypeFor[Question](), reflect.TypeFor[ExecutionRequest](), reflect.TypeFor[AppSpec]()}
