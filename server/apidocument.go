package server

import _ "embed"

// openAPI describes the operations, as a test writes it from their table.
//
//go:embed api/openapi.json
var openAPI []byte
