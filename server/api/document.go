package api

import _ "embed"

// OpenAPI is the OpenAPI document. A test of package server generates it from the table of
// operations.
//
//go:embed openapi.json
var OpenAPI []byte
