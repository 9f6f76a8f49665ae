package server

import _ "embed"

// openAPI is the OpenAPI document. A test generates it from the table of operations.
//
//go:embed api/openapi.json
var openAPI []byte
