package api

import _ "embed"

// OpenAPI is the OpenAPI document. A test generates it from the table of operations in package
// server.
//
//go:embed openapi.json
var OpenAPI []byte
