// Package outerframe holds the page between a host page and a sandbox.
//
// # Files
//
//   - outer.ts: wires the parts below and owns the state of the view.
//   - containment.ts: what this browser enforces, and whether it is enough.
//   - view.ts: the iframe with the sandbox flags, its boot, and its deadlines.
//   - flood.ts: ends a view whose documents send too many messages.
//   - heartbeat.ts: detects that the view's process has ended.
//   - live.ts: how the view shows a changed file, or loads again, without a boot.
//   - ports.ts: the ports of the view's documents.
//   - failures.ts: what the user reads about a failed start.
//   - messages.ts: reads messages from postMessage, which anybody can send.
//   - embedder.ts: the handshake with the page above, and the port to it.
//   - events.ts: the sandbox's events, from the server, with a token of its own.
//     slots.ts shares the browser's few connections among many frames.
//   - reports.ts: the page's reports, on their way to the server. waiting.ts bounds
//     them and cuts them into batches, sanitize.ts reduces each to what the protocol
//     defines, post.ts sends them.
//   - app.ts: the sandbox proxy of MCP Apps, between an MCP host and the view.
//     violation.ts is what the host receives about a refusal.
//   - tools.ts: the calls of a BTCP client in the page above.
//   - notice.html: tells the user why there is no outer frame.
//   - data.ts: the page's data. data.gen.ts, btcp.gen.ts, and grant.gen.ts are generated from
//     Go.
//   - executions.ts: the executions that the server requests. runner.ts is the frame in
//     which they run, isolated.ts the frame of an isolated one, execution.ts the
//     reports of one.
//
// The page's Content-Security-Policy lets it frame only the inner origin and connect
// only to its own server. This frame-src stops the sandbox from navigating itself away,
// so nothing untrusted ever runs in this origin.
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

// Data is what the outer frame needs to know about its sandbox.
type Data struct {
	// Inner is the inner origin.
	Inner string `json:"inner"`
	// Incarnation identifies the sandbox among all that have had its id.
	Incarnation string `json:"incarnation"`
	// View is the id of the view. It is random, and new for each load of the outer frame.
	View string `json:"view"`
	// Revision is the sandbox's revision when this page was requested.
	Revision int64 `json:"revision"`
	// Sandbox is the view's sandbox attribute. nil omits the attribute, which only the
	// positive control of a test does.
	Sandbox *string `json:"sandbox"`
	// Enough are the levels of containment that the policy accepts. Audit says that it
	// only audits.
	Enough []protocol.Containment `json:"enough"`
	Audit  bool                   `json:"audit"`
	// Allow is the view's allow attribute.
	Allow string `json:"-"`
	// Embedders are the origins whose pages may talk to this frame.
	Embedders []string `json:"embedders"`
	// Events, Reports, and Executions are paths on the outer frame's own origin. Each
	// contains the token.
	Events     string `json:"events"`
	Reports    string `json:"reports"`
	Executions string `json:"executions"`
	// Warm says that the sandbox has no files yet, and that the view waits for them.
	Warm bool `json:"warm"`
	// App is another such path, which accepts an MCP App; "" if the frame is not an MCP
	// Apps proxy.
	App string `json:"app"`
	// Host is the origin of the host of an MCP App that was sent in advance; "" if
	// there is none.
	Host string `json:"host"`
	// Policy is the Content-Security-Policy of that app's document.
	Policy string `json:"policy"`
	// Tools is another such path, which accepts calls of tools; "" if the frame accepts
	// none.
	Tools string `json:"tools"`
	// ResultLimit is the largest execution result that the server accepts, in bytes.
	ResultLimit int64 `json:"resultLimit"`
}

// AtOnce reports whether the view starts with the page's markup, before the script is
// loaded. A policy that demands more than every browser gives has to wait for the
// script's probe.
func (d Data) AtOnce() bool { return slices.Contains(d.Enough, protocol.ContainmentCSP) }

// Boot returns the address that starts a view.
func (d Data) Boot() string { return d.Inner + protocol.BootPath }

// New prepares the page. script is the bundled outer.ts.
func New(script []byte) (*page.Page, error) {
	return page.New("outer.html", string(read("outer.html")), script, read("outer.css"))
}

// A Notice is the text of the page that replaces an outer frame.
type Notice struct{ Text, Code string }

// NewNotice prepares that page, which has no script. It is rendered with a [Notice].
func NewNotice() (*page.Page, error) {
	return page.New("notice.html", string(read("notice.html")), nil, read("outer.css"))
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("outerframe: " + err.Error()) // it is embedded, so it exists
	}
	return b
}
