// Package client holds the browser library: an ES module that an embedder's page
// loads from the server, and that defines the element <bellglass-sandbox>.
//
// # A guided tour
//
//   - index.ts: the module; importing it defines the element.
//   - element.ts: the element, from its insertion to its removal.
//   - events.ts: what it tells, and the failures that are its own.
//   - looks.ts, style.ts: what it shows around the frame.
//   - connection.ts: the outer frame's iframe and the channel to it. The host page
//     is made of the same.
//   - autosize.ts: follows the height of the document, and stops at a loop.
//   - focus.ts: detects a sandbox that takes the focus, and gives the focus back.
//   - api.ts: changing a sandbox, by way of a backend that the embedder names.
//   - bellglass.d.ts: the module's types with their documentation, for editors and
//     compilers. tests/types holds them to the code.
//
// # Invariants
//
// The page is not ours: its Content-Security-Policy, its Trusted Types and its
// styles stay as they are, and nothing global is touched but the element's name.
// The element has no power of its own: what it knows comes over the channel that
// the outer frame opens to an allowed embedder, and what it changes goes where the
// embedder says, with what token the embedder gives.
package client

import (
	"embed"
	"fmt"
)

// TypeScript is the library's source; its entry is index.ts.
//
//go:embed *.ts
var TypeScript embed.FS

// Declaration returns the module's types, a TypeScript declaration file.
func Declaration() []byte {
	b, err := TypeScript.ReadFile("bellglass.d.ts")
	if err != nil {
		panic(fmt.Sprint("client: ", err)) // embedded, so it is there
	}
	return b
}
