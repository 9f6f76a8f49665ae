// Package vectors holds the decision vectors as they are; package rules/vectors
// reads them. It is a package of its own because go:embed reaches no folder
// beside its package, and it lies in testdata so that nothing takes it for a
// part of the program.
package vectors

import "embed"

// FS has one file for each behaviour, NAME.txt.
//
//go:embed *.txt
var FS embed.FS
