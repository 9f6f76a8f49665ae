// Package client holds the browser library: an ES module that an embedder's page loads
// from the server, or from the npm package that client/pack writes. It defines the element <bellglass-sandbox>.
//
// # Files
//
//   - index.ts: the module; importing it defines the element.
//   - element.ts: the element, from its insertion to its removal.
//   - events.ts: its events, and its own failures.
//   - looks.ts, style.ts: what it shows around the frame.
//   - connection.ts: the outer frame's iframe, and the channel to it. The host page
//     uses it too.
//   - autosize.ts: follows the height of the document, and stops at a loop.
//   - focus.ts: detects a sandbox that takes the focus, and gives the focus back.
//   - localnetwork.ts: asks whether the browser lets the page reach this machine.
//   - api.ts: changes a sandbox, through a backend that the embedder names.
//   - bellglass.d.ts: the module's types with their documentation, for editors and
//     compilers. tests/types checks them against the code.
//
// # Invariants
//
// The page belongs to the embedder: its Content-Security-Policy, Trusted Types, and
// styles stay as they are, and the library defines nothing global except the element's
// name. The element has no privileges. It learns what it knows over the channel that
// the outer frame opens to an allowed embedder. It sends changes where the embedder
// says, with the embedder's token.
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
