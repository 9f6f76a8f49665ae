// Package starter lists packages that generated code often imports, in pinned versions that work
// together. The programs in tests/written import them. To change the list, run:
//
//	bellglass add --dir packages/starter PACKAGE…
package starter

import _ "embed"

// Manifest is the package.json of an application that depends on all of them.
//
//go:embed package.json
var Manifest []byte

// Lock is its lock.
//
//go:embed bellglass-lock.json
var Lock []byte
