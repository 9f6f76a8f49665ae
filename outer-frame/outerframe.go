// Package outerframe holds the page between a host page and a sandbox.
//
// # A guided tour
//
//   - outer.ts: wires the parts below and owns the state of the view.
//   - containment.ts: what does this browser enforce, and is it enough?
//   - view.ts: the iframe with the sandbox flags, its boot and its deadlines.
//   - flood.ts: ends a view whose documents send too many messages.
//   - words.ts: what is said of a start that failed.
//   - messages.ts: reads what comes by postMessage, from whomever.
//   - embedder.ts: the handshake with the page above, and the port to it.
//   - events.ts: the sandbox's events, from the server, by a token of its own;
//     turns.ts shares the browser's few connections among many frames.
//   - reports.ts: the page's reports, on their way to the server; waiting.ts bounds
//     them and cuts them into batches, known.ts cuts each down to what the protocol
//     knows, post.ts sends them.
//   - app.ts: the sandbox proxy of MCP Apps, between an MCP host and the view;
//     violation.ts makes what the host hears of a refusal.
//   - tools.ts: the calls of a BTCP client in the page above.
//   - notice.html: why there is no outer frame, for the person before the host page.
//   - executions.ts: the executions that the server asks for; runner.ts is the
//     frame in which they run, isolated.ts the frame of an isolated one, execution.ts
//     what one of them reports.
//
// The page's Content-Security-Policy lets it frame the one inner origin and
// talk to its own server, nothing else. That frame-src is what stops the sandbox
// from navigating itself away, so nothing untrusted ever runs in this origin.
package outerframe

import (
	"embed"
	"slices"

	"github.com/bellglass/bellglass/internal/page"
	"github.com/bellglass/bellglass/protocol"
)

// TypeScript is the frame's source; its entry is outer.ts.
//
//go:embed *.ts
var TypeScript embed.FS

//go:embed outer.html notice.html outer.css
var files embed.FS

// Data is what the outer frame knows of its sandbox.
type Data struct {
	// Inner is the inner origin.
	Inner string `json:"inner"`
	// Incarnation names the sandbox among those that have had its id.
	Incarnation string `json:"incarnation"`
	// Sandbox is the view's sandbox attribute; nil leaves the attribute out,
	// which only a positive control of a test does.
	Sandbox *string `json:"sandbox"`
	// Enough are the levels of containment that the policy takes, Audit says that it
	// only audits.
	Enough []protocol.Containment `json:"enough"`
	Audit  bool                   `json:"audit"`
	// Allow is the view's allow attribute.
	Allow string `json:"-"`
	// Embedders are the origins whose pages may talk to this frame.
	Embedders []string `json:"embedders"`
	// Events, Reports and Executions are paths on the outer's own origin; each
	// carries the token.
	Events     string `json:"events"`
	Reports    string `json:"reports"`
	Executions string `json:"executions"`
	// App is such a path too, to which an MCP App is handed in; "" if the frame is not
	// an MCP Apps proxy.
	App string `json:"app"`
	// Host is the origin of the host of an MCP App that was handed in beforehand; "" if
	// there is none.
	Host string `json:"host"`
	// Policy is the Content-Security-Policy of that app's document.
	Policy string `json:"policy"`
	// Tools is such a path too, to which calls of tools go; "" if the frame takes none.
	Tools string `json:"tools"`
	// ResultLimit is what the server takes of an execution's result, in bytes.
	ResultLimit int64 `json:"resultLimit"`
}

// AtOnce reports whether the view begins with the page's markup, before its script is
// there. A policy that demands more than every browser gives waits for what that script
// finds out.
func (d Data) AtOnce() bool { return slices.Contains(d.Enough, protocol.ContainmentCSP) }

// Boot is the address with which a view begins.
func (d Data) Boot() string { return d.Inner + protocol.BootPath }

// New prepares the page. script is the bundled outer.ts.
func New(script []byte) (*page.Page, error) {
	return page.New("outer.html", string(read("outer.html")), script, read("outer.css"))
}

// A Notice is what the page says that stands in place of an outer frame.
type Notice struct{ Text, Code string }

// NewNotice prepares that page, which has no script. It is rendered with a [Notice].
func NewNotice() (*page.Page, error) {
	return page.New("notice.html", string(read("notice.html")), nil, read("outer.css"))
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("outerframe: " + err.Error()) // embedded, so it is there
	}
	return b
}
