package btcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// checkArgs validates arguments against their JSON Schema, draft 2020-12 unless the
// schema names another. The library contains the drafts and fetches no other schema.
func checkArgs(schema, args json.RawMessage) *ToolError {
	if len(args) > 0 && !json.Valid(args) {
		return invalid("The args are not one JSON value.")
	}
	if len(schema) == 0 {
		return nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return invalid("The inputSchema is not JSON.")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	compiler.AssertFormat()
	const name = "bellglass:input-schema"
	if err := compiler.AddResource(name, document); err != nil {
		return invalid("The inputSchema is rejected: %.500s.", err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return invalid("The inputSchema is rejected: %.500s.", err)
	}
	if len(args) == 0 {
		return invalid("The args are missing, and there is an inputSchema.")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(args))
	if err != nil {
		return invalid("The args are not one JSON value.")
	}
	err = compiled.Validate(value)
	if err == nil {
		return nil
	}
	// The first line names the schema. Each other line is a mistake and its location.
	_, mistakes, _ := strings.Cut(err.Error(), "\n")
	return invalid("The args do not match the inputSchema: %.500s.", strings.ReplaceAll(strings.TrimPrefix(mistakes, "- "), "\n- ", "; "))
}
