package server

import (
	"bytes"
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

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/server/api"
)

var update = flag.Bool("update", false, "write api/openapi.json anew; read the diff afterwards")

// The document describes all operations and is valid.
func TestOpenAPI(t *testing.T) {
	s, _ := newTestServer(t)
	document := newDocument(s.operations())
	if err := document.Validate(t.Context()); err != nil {
		t.Errorf("the document is not valid: %v", err)
	}
	for name, schema := range document.Components.Schemas {
		if schema.Value.Description == "" {
			t.Errorf("the type %s has no doc comment", name)
		}
		for property, of := range schema.Value.Properties {
			if of.Value.Description == "" || of.Ref != "" {
				t.Errorf("the field for %s.%s has no doc comment", name, property)
			}
		}
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
		api.OpenAPI = want.Bytes()
	}
	if diff := cmp.Diff(string(api.OpenAPI), want.String()); diff != "" {
		t.Fatalf("api/openapi.json is not what the operations are; run go test ./server -run 'TestOpenAPI$' -update (-file +operations):\n%s", diff)
	}

	// Compares the file with the routes that the server really serves.
	read, err := openapi3.NewLoader().LoadFromData(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	documented, served := map[string]bool{}, map[string]bool{}
	for path, item := range read.Paths.Map() {
		for method := range item.Operations() {
			documented[method+" "+(&operation{path: path}).route()] = true
		}
	}
	for _, row := range s.tables[pageHost].rows {
		if strings.HasPrefix(row.path, apiRoot) {
			served[row.methods[0]+" "+row.path] = true
		}
	}
	if diff := cmp.Diff(documented, served); diff != "" || len(served) < 10 {
		t.Errorf("the documented operations differ from the served ones (-documented +served):\n%s", diff)
	}
}

// A documenter renders the table of operations as an OpenAPI document.
type documenter struct {
	schemas openapi3.Schemas
	words   packageWords
}

func newDocument(rows []operation) *openapi3.T {
	d := &documenter{openapi3.Schemas{}, packageWords{}}
	token := openapi3.NewSecurityScheme().WithType("http").WithScheme("bearer")
	token.Description = "A token of --token, or the one that the server printed when it started."
	document := &openapi3.T{
		OpenAPI: "3.1.0",
		Info: &openapi3.Info{
			Title: "Bellglass", Version: "1",
			Description: "Runs untrusted web code in a browser, under glass. docs/api.md shows this API by example, and explains each code of a refusal.",
			License:     &openapi3.License{Name: "Apache 2.0", Identifier: "Apache-2.0"},
		},
		Servers:    openapi3.Servers{{URL: apiRoot, Description: "The server that this document comes from."}},
		Paths:      openapi3.NewPaths(),
		Security:   openapi3.SecurityRequirements{{"token": {}}},
		Components: &openapi3.Components{SecuritySchemes: openapi3.SecuritySchemes{"token": {Value: token}}},
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
	if row.public {
		o.Security = openapi3.NewSecurityRequirements()
	}
	for _, found := range pathParameters.FindAllStringSubmatch(row.path, -1) {
		schema, text := openapi3.NewStringSchema(), "A file's path without the slash at its beginning. Slashes in it may be encoded."
		if found[1] == "id" {
			schema, text = schema.WithPattern("^[a-z2-7]{26}$"), "A sandbox's ID."
		}
		o.AddParameter(openapi3.NewPathParameter(found[1]).WithSchema(schema).WithDescription(text))
	}
	for _, p := range row.query {
		query := openapi3.NewQueryParameter(p.name).WithSchema(p.schema()).WithDescription(p.text)
		if p.words != nil {
			query.Style, query.Explode = openapi3.SerializationForm, openapi3.Ptr(false)
		}
		o.AddParameter(query)
	}
	headers := row.header
	if row.revised {
		headers = append(slices.Clip(headers), parameter{name: "If-Match", text: `A revision in quotes, such as "3". If the sandbox has another, the request is refused.`})
	}
	for _, p := range headers {
		o.AddParameter(openapi3.NewHeaderParameter(p.name).WithSchema(p.schema()).WithDescription(p.text))
	}
	if row.takes != nil {
		o.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithContent(d.content(*row.takes))}
	}
	o.Responses = openapi3.NewResponsesWithCapacity(len(row.answers) + 2)
	for _, a := range row.answers {
		o.AddResponse(a.status, d.reply(row, &a))
	}
	for _, class := range []int{4, 5} {
		problem := openapi3.NewResponse().WithDescription("A refusal, with one of the codes " + strings.Join(row.refusals(class), ", ") + ".").
			WithContent(openapi3.Content{api.MediaProblem: {Schema: d.schema(reflect.TypeFor[Problem]())}})
		o.Responses.Set(fmt.Sprint(class, "XX"), &openapi3.ResponseRef{Value: problem})
	}
	return o
}

func (d *documenter) reply(row *operation, a *reply) *openapi3.Response {
	response := openapi3.NewResponse().WithDescription(http.StatusText(a.status))
	if a.media != "" {
		response.Content = d.content(a.content)
	}
	told := a.header
	if row.revised && row.id != "deleteSandbox" {
		told = append(slices.Clip(told), parameter{name: "ETag", text: "The sandbox's revision in quotes."})
	}
	for _, p := range told {
		if response.Headers == nil {
			response.Headers = openapi3.Headers{}
		}
		response.Headers[p.name] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Description: p.text, Schema: p.schema().NewRef()}}}
	}
	return response
}

func (p *parameter) schema() *openapi3.Schema {
	switch {
	case p.words != nil:
		return openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema().WithEnum(anys(p.words)...))
	case p.several:
		return openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())
	case p.number:
		return openapi3.NewInt64Schema()
	default:
		return openapi3.NewStringSchema()
	}
}

// refusals returns the codes with which the operation may refuse and whose status is in the
// class, in the order of the table of codes.
func (o *operation) refusals(class int) (names []string) {
	for _, c := range api.Codes {
		isOfClass := slices.ContainsFunc(c.Status, func(status int) bool { return status/100 == class })
		if isOfClass && (slices.Contains(o.codes, c.Name) || c.General && o.may(c.Name)) {
			names = append(names, c.Name)
		}
	}
	return names
}

// may reports whether the operation can refuse with this general code.
func (o *operation) may(name string) bool {
	switch name {
	case "unauthorized", "too-many-requests":
		return !o.public
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
	case c.media == mediaEvents:
		schema.Value.Description = "The data of each server-sent event is one of the events."
		schema.Value.ContentMediaType, schema.Value.ContentSchema = mediaJSON, d.schema(reflect.TypeOf(c.of))
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
