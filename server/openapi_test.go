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
	document := newDocument(s.api.Operations())
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
			documented[method+" "+routeOf(&api.Operation{Path: path})] = true
		}
	}
	for _, row := range s.tables[pageHost].rows {
		if strings.HasPrefix(row.path, api.Root) {
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

func newDocument(rows []api.Operation) *openapi3.T {
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
		Servers:    openapi3.Servers{{URL: api.Root, Description: "The server that this document comes from."}},
		Paths:      openapi3.NewPaths(),
		Security:   openapi3.SecurityRequirements{{"token": {}}},
		Components: &openapi3.Components{SecuritySchemes: openapi3.SecuritySchemes{"token": {Value: token}}},
	}
	for i := range rows {
		document.AddOperation(rows[i].Path, rows[i].Method, d.operation(&rows[i]))
	}
	document.Components.Schemas = d.schemas
	return document
}

var pathParameters = regexp.MustCompile(`\{(\w+)\}`)

func (d *documenter) operation(row *api.Operation) *openapi3.Operation {
	o := openapi3.NewOperation()
	o.OperationID, o.Summary = row.ID, row.Summary
	if row.Public {
		o.Security = openapi3.NewSecurityRequirements()
	}
	for _, found := range pathParameters.FindAllStringSubmatch(row.Path, -1) {
		schema, text := openapi3.NewStringSchema(), "A file's path without the slash at its beginning. Slashes in it may be encoded."
		if found[1] == "id" {
			schema, text = schema.WithPattern("^[a-z2-7]{26}$"), "A sandbox's ID."
		}
		o.AddParameter(openapi3.NewPathParameter(found[1]).WithSchema(schema).WithDescription(text))
	}
	for _, p := range row.Query {
		query := openapi3.NewQueryParameter(p.Name).WithSchema(schemaOf(&p)).WithDescription(p.Text)
		if p.Words != nil {
			query.Style, query.Explode = openapi3.SerializationForm, openapi3.Ptr(false)
		}
		o.AddParameter(query)
	}
	headers := row.Header
	if row.Revised {
		headers = append(slices.Clip(headers), api.Parameter{Name: "If-Match", Text: `A revision in quotes, such as "3". If the sandbox has another, the request is refused.`})
	}
	for _, p := range headers {
		o.AddParameter(openapi3.NewHeaderParameter(p.Name).WithSchema(schemaOf(&p)).WithDescription(p.Text))
	}
	if row.Takes != nil {
		o.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithContent(d.content(*row.Takes))}
	}
	o.Responses = openapi3.NewResponsesWithCapacity(len(row.Answers) + 2)
	for _, a := range row.Answers {
		o.AddResponse(a.Status, d.reply(row, &a))
	}
	for _, class := range []int{4, 5} {
		problem := openapi3.NewResponse().WithDescription("A refusal, with one of the codes " + strings.Join(refusals(row, class), ", ") + ".").
			WithContent(openapi3.Content{api.MediaProblem: {Schema: d.schema(reflect.TypeFor[Problem]())}})
		o.Responses.Set(fmt.Sprint(class, "XX"), &openapi3.ResponseRef{Value: problem})
	}
	return o
}

func (d *documenter) reply(row *api.Operation, a *api.Reply) *openapi3.Response {
	response := openapi3.NewResponse().WithDescription(http.StatusText(a.Status))
	if a.Media != "" {
		response.Content = d.content(a.Content)
	}
	told := a.Header
	if row.Revised && row.ID != "deleteSandbox" {
		told = append(slices.Clip(told), api.Parameter{Name: "ETag", Text: "The sandbox's revision in quotes."})
	}
	for _, p := range told {
		if response.Headers == nil {
			response.Headers = openapi3.Headers{}
		}
		response.Headers[p.Name] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Description: p.Text, Schema: schemaOf(&p).NewRef()}}}
	}
	return response
}

func schemaOf(p *api.Parameter) *openapi3.Schema {
	switch {
	case p.Words != nil:
		return openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema().WithEnum(anys(p.Words)...))
	case p.Several:
		return openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())
	case p.Number:
		return openapi3.NewInt64Schema()
	default:
		return openapi3.NewStringSchema()
	}
}

// refusals returns the codes with which the operation may refuse and whose status is in the
// class, in the order of the table of codes.
func refusals(o *api.Operation, class int) (names []string) {
	for _, c := range api.Codes {
		isOfClass := slices.ContainsFunc(c.Status, func(status int) bool { return status/100 == class })
		if isOfClass && (slices.Contains(o.Codes, c.Name) || c.General && may(o, c.Name)) {
			names = append(names, c.Name)
		}
	}
	return names
}

// may reports whether the operation can refuse with this general code.
func may(o *api.Operation, name string) bool {
	switch name {
	case "unauthorized", "too-many-requests":
		return !o.Public
	case "unknown-sandbox":
		return o.OfSandbox()
	case "stale-revision":
		return o.Revised
	case "body", "body-timeout", "body-too-large", "unsupported-type", "busy":
		return o.Takes != nil
	case "bad-json":
		return o.Takes != nil && o.Takes.Media == api.MediaJSON
	}
	return true
}

func (d *documenter) content(c api.Content) openapi3.Content {
	schema := openapi3.NewStringSchema().NewRef()
	switch {
	case c.Media == api.MediaEvents:
		schema.Value.Description = "The data of each server-sent event is one of the events."
		schema.Value.ContentMediaType, schema.Value.ContentSchema = api.MediaJSON, d.schema(reflect.TypeOf(c.Of))
	case c.Media == api.MediaJSON:
		schema = d.schema(reflect.TypeOf(c.Of))
	case c.Of == nil:
		schema.Value.Format = "binary"
	}
	all := openapi3.Content{}
	for _, media := range append([]string{c.Media}, c.Also...) {
		all[media] = &openapi3.MediaType{Schema: schema}
	}
	return all
}
