// Package innerframe holds the pages and scripts of the inner frame, the page
// at a sandbox's own origin.
//
// # A guided tour
//
//   - boot.html, boot.ts: the page with which a view begins, and which stands in
//     for any document that is asked for while no worker is in control. It
//     registers the worker, waits for its control, asks which version it is, and
//     reports to the outer frame.
//   - control.ts, again.ts: taking control, and loading again where only that helps.
//   - stages.ts: what a boot waits for, and how long.
//   - client.ts: the script that stands at the head of every HTML document of the
//     sandbox, or is loaded there. It relays console, errors and violations.
//   - height.ts: measures the document, for the client script, when that is asked.
//   - features.ts, attempts.ts, cookies.ts: what the browser refuses a page beside
//     requests, told by the client script.
//   - realm.ts: the prelude of the sandbox's own dedicated and shared workers, which
//     relays the same.
//   - runner.ts: what the boot page does in the frame that runs executions.
//   - execute.ts, perform.ts, serialise.ts: the worker of one execution, what it does
//     with the code, and how it tells a result.
//   - isolated.html, isolated.ts, isolatedworker.ts: the document of an isolated
//     execution, and the worker in it; load.ts loads the code,
//     and hide.ts takes away what it was not granted.
//   - alone.html: what is shown instead of a document in a tab of its own.
//
// Everything that runs here shares its origin with untrusted code. What it
// reports after that code has begun to run is the word of the page.
package innerframe

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
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

// Data is what the boot page knows of its sandbox.
type Data struct {
	// Bundle is the hash of the worker that must be in control.
	Bundle string `json:"bundle"`
	// Incarnation names the sandbox that it must belong to. An earlier server may have
	// had another with this id.
	Incarnation string `json:"incarnation"`
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Entry is the path to which the boot page of a view goes.
	Entry string `json:"entry"`
	// Waits: a view goes there only when the outer frame says so.
	Waits bool `json:"waits"`
	// NeedsWorker: in a browser that refuses the worker nothing runs.
	NeedsWorker bool `json:"needsWorker"`
	// Enough are the levels of containment that the policy takes. The outer frame
	// finds out which one there is.
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

// A ClientConfig is what the client script knows of its sandbox.
type ClientConfig struct {
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Granted are the flags and permissions that the sandbox was granted.
	Granted []string `json:"granted" ts:"readonly Feature[]"`
}

// ClientHead returns the beginning of the client script for a sandbox whose outer frame has
// the given origin, and which was granted these flags and permissions. [Pages.ClientRest]
// follows it. The two are one line of ASCII that can stand in a script element. A block keeps
// the one name that it declares out of the page.
func (p *Pages) ClientHead(outer string, granted []string) string {
	config, _ := json.Marshal(ClientConfig{outer, granted}) // strings never fail
	return "{const bellglassConfig=" + string(config) + ";"
}

// ClientRest returns the part of the client script that all sandboxes share.
func (p *Pages) ClientRest() string { return string(p.client) + "}" }

// An Execution is what the worker of an execution knows of it.
type Execution struct {
	ID string `json:"id"`
	// Args is JSON text, or "" for none. A "__proto__" in it is a mere name, as it
	// would not be if it were written as code.
	Args string `json:"args"`
	// ResultLimit is in bytes.
	ResultLimit int64 `json:"resultLimit"`
}

// WriteExecution writes the script of an execution's worker, a module.
func (p *Pages) WriteExecution(w io.Writer, e Execution) error {
	config, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the worker of execution %s: %w", e.ID, err)
	}
	_, err = fmt.Fprintf(w, "const bellglassExecution = %s;\n%s", config, p.execute)
	return err
}

// An IsolatedExecution is what the document of an isolated execution knows of it.
type IsolatedExecution struct {
	Execution
	Code string `json:"code"`
	// Hidden are the globals that the code does not get.
	Hidden []string `json:"hidden"`
	// Methods are what the code may ask of the page around the outer frame.
	Methods []string `json:"methods"`
	// Outer is the outer frame's origin.
	Outer string `json:"outer"`
	// Worker is the script of the worker in which the code runs, or "" for the document
	// itself.
	Worker string `json:"worker"`
}

// WriteIsolated writes the document of an isolated execution, in which the code runs in
// a worker or in the document itself.
func (p *Pages) WriteIsolated(w io.Writer, e IsolatedExecution, inWorker bool) error {
	if inWorker {
		e.Worker = string(p.isolatedWorker)
	}
	return p.Isolated.Render(w, e)
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("innerframe: " + err.Error()) // embedded, so it is there
	}
	return b
}
