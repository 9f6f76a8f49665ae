package protocol

import "embed"

// TypeScript is the file rendered from this package.
//
//go:embed protocol.gen.ts
var TypeScript embed.FS
