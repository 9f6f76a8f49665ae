// Package vectors embeds the files of decision vectors. Package rules/vectors reads them. It is
// a separate package because go:embed reaches only files in or below its own folder. It is in
// testdata so that the go tool does not count it as part of the program.
package vectors

import "embed"

// FS has one file for each behavior, NAME.txt.
//
//go:embed *.txt
var FS embed.FS
