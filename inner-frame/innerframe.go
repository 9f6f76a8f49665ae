// Package innerframe holds the pages and scripts of the inner frame, the page at a
// sandbox's own origin.
//
// # Files
//
//   - boot.html, boot.ts: the page that starts a view. It also replaces any document
//     that is requested while no worker is in control. It registers the worker, waits
//     for its control, checks its version, and reports to the outer frame.
//   - control.ts, handover.ts, reload.ts: taking control, replacing a worker, and
//     reloading if only that helps.
//   - stages.ts, deadline.ts: what a boot waits for, and how long.
//   - client.ts: the first script of every HTML document of the sandbox. It relays
//     console lines, errors, and violations (console.ts, errors.ts, blocked.ts).
//   - ancestors.ts: where the view is among the windows around a document.
//   - caller.ts, text.ts: where a console line was written, and its text.
//   - live.ts: shows a newer revision when the outer frame asks. styles.ts replaces style
//     sheets in place, fields.ts keeps what the user has entered, and known.ts tells the
//     worker of a revision.
//   - height.ts: measures the document for the client script.
//   - features.ts, attempts.ts, cookies.ts, leaving.ts: what the browser refuses a page
//     other than requests, reported by the client script.
//   - note.ts: a note to the user over the page.
//   - realm.ts: the prelude of the sandbox's own dedicated and shared workers, which
//     relays the same.
//   - runner.ts: runs executions, for the boot page in the hidden frame.
//   - execute.ts, perform.ts, serialize.ts: the worker of one execution, what it does
//     with the code, and how it writes a result.
//   - isolated.html, isolated.ts, isolatedworker.ts: the document of an isolated
//     execution, and the worker in it. load.ts loads the code, api.ts is what it may
//     ask, and hide.ts removes what it was not granted.
//   - alone.html: the page that a sandbox shows in a tab of its own.
//   - data.gen.ts, btcp.gen.ts: generated from Go.
//
// Everything here runs at the origin of untrusted code. Once that code has started,
// every report from here is the page's word.
package innerframe

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"

	"github.com/bellglass/bellglass/internal/page"
	"github.com/bellglass/bellglass/protocol"
)

// TypeScript is the frame's source; its entries are boot.ts, client.ts,
// execute.ts, isolated.ts, isolatedworker.ts and realm.ts.
//
//go:embed *.ts
var TypeScript embed.FS

//go:embed boot.html boot.css alone.html isolated.html
var files embed.FS

// Data is what the boot page needs to know about its sandbox.
type Data struct {
	// Bundle is the hash of the worker that must be in control.
	Bundle string `json:"bundle"`
	// Incarnation identifies the sandbox that the worker must belong to. An earlier
	// server may have had another sandbox with this id.
	Incarnation string `json:"incarnation"`
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Entry is the path to which the boot page of a view navigates.
	Entry string `json:"entry"`
	// Waits: a view waits for the outer frame before it goes to the entry.
	Waits bool `json:"waits"`
	// NeedsWorker: nothing runs in a browser that refuses the worker.
	NeedsWorker bool `json:"needsWorker"`
	// Enough are the levels of containment that the policy accepts. The outer frame
	// finds out the browser's level.
	Enough []protocol.Containment `json:"enough"`
}

// Scripts are the bundled entries. Client is one line of ASCII.
type Scripts struct{ Boot, Client, Execute, Isolated, IsolatedWorker []byte }

// Pages are the inner frame's pages, ready to be served.
type Pages struct {
	Boot, Alone, Isolated           *page.Page
	client, execute, isolatedWorker []byte
}

// New prepares the pages.
func New(s Scripts) (*Pages, error) {
	for _, text := range []string{"</script", "<!--"} {
		if bytes.Contains(s.Client, []byte(text)) {
			return nil, fmt.Errorf("the client script holds %s, which must not stand in a script element", text)
		}
	}
	style := read("boot.css")
	boot, err := page.New("boot.html", string(read("boot.html")), s.Boot, style)
	if err != nil {
		return nil, err
	}
	alone, err := page.New("alone.html", string(read("alone.html")), nil, style)
	if err != nil {
		return nil, err
	}
	isolated, err := page.New("isolated.html", string(read("isolated.html")), s.Isolated, nil)
	if err != nil {
		return nil, err
	}
	return &Pages{Boot: boot, Alone: alone, Isolated: isolated, client: s.Client, execute: s.Execute, isolatedWorker: s.IsolatedWorker}, nil
}

// A ClientConfig is what the client script needs to know about its sandbox.
type ClientConfig struct {
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Granted are the flags and permissions that the sandbox was granted.
	Granted []string `json:"granted" ts:"readonly Feature[]"`
}

// ClientTag returns the start tag of the client script, for a document of the given
// revision. [Pages.ClientRest] follows it.
func ClientTag(revision int64, config ClientConfig) string {
	text, _ := json.Marshal(config) // marshaling strings never fails
	return fmt.Sprintf(`<script data-revision="%d" data-config="%s">`, revision, html.EscapeString(string(text)))
}

// ClientRest returns the text of the client script, which is the same for all sandboxes,
// and its end tag. It is one line of ASCII.
func (p *Pages) ClientRest() string { return string(p.client) + "</script>" }

// ClientHash returns the CSP hash of the client script, "sha256-…".
func (p *Pages) ClientHash() string { return page.Hash(p.client) }

// An Execution is what the worker of an execution needs to know.
type Execution struct {
	// Address is the random name in the execution's URLs.
	Address string `json:"address"`
	// Args is JSON text, or "" if there are none. A "__proto__" in JSON is an ordinary
	// name, unlike in JavaScript source.
	Args string `json:"args"`
	// ResultLimit is in bytes.
	ResultLimit int64 `json:"resultLimit"`
}

// WriteExecution writes the script of an execution's worker, which is a module.
func (p *Pages) WriteExecution(w io.Writer, e Execution) error {
	config, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the worker of execution %s: %w", e.Address, err)
	}
	_, err = fmt.Fprintf(w, "const bellglassExecution = %s;\n%s", config, p.execute)
	return err
}

// An IsolatedExecution is what the document of an isolated execution needs to know.
type IsolatedExecution struct {
	Execution
	Code string `json:"code"`
	// Hidden are the globals to remove before the code runs.
	Hidden []string `json:"hidden"`
	// Methods are those that the code may call on the page around the outer frame.
	Methods []string `json:"methods"`
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Worker is the script of the worker in which the code runs, or "" if it runs in
	// the document.
	Worker string `json:"worker"`
}

// WriteIsolated writes the document of an isolated execution. The code runs in a
// worker, or in the document itself.
func (p *Pages) WriteIsolated(w io.Writer, e IsolatedExecution, inWorker bool) error {
	if inWorker {
		e.Worker = string(p.isolatedWorker)
	}
	return p.Isolated.Render(w, e)
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("innerframe: " + err.Error()) // it is embedded, so it exists
	}
	return b
}
