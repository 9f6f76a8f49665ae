// Package starter names the packages that models and people use without being asked to, in
// versions that work together. They are pinned, and each is tested with a program
// (tests/written).
//
//	bellglass add --dir packages/starter PACKAGE…
//
// changes them.
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
