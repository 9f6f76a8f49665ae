// Package escaping runs every row of package escape in a real browser, in a sandbox
// that is started through the product's own public interface, and lets the canary
// decide whether anything got out: HTTP, WebSocket, TLS, TCP, UDP and DNS, each
// attributed to its row.
//
// The tests run in a network namespace of their own, which has its own name
// server. Each row runs under the namings of the sandboxes' hosts, and then
// without defences, as a positive control.
//
// The packages below tests/escape, one for each engine, say how to drive their
// browser. What is known to get out of it is a list of package escape.
package escaping

import (
	"flag"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/netns"
)

// Main is what TestMain of an engine's package calls.
func Main(m *testing.M) { os.Exit(netns.Run(m)) }

var (
	only  = flag.String("rows", "", "run only the rows whose name (FAMILY/NAME) this regular expression matches")
	all   = flag.Bool("all", false, "run also the rows that do not arrive without defences either in this engine")
	app   = flag.Bool("app", false, "run the rows under the policy of an MCP App, which prefers the worker")
	learn = flag.Bool("learn", false, "say what the list of the engine would have to hold, in place of holding the engine to it")
)

// atOnce is how many batches run at the same time.
const atOnce = 6

// patience bounds each wait for something that must happen; it is far beyond what
// that takes, also beside other packages on a slow machine.
const patience = 4 * time.Minute

// A column is one way to run all rows.
type column struct {
	letter string
	name   string
	adjust func(*server.Config)
}

// control is the column without defences: it shows that an attempt is one. It keeps
// the one that lets nothing out and nothing in: without a process of its own a document
// of the control, which may crash or wait with a dialog, would have that of the outer
// frames of all columns, whose site is the same.
var control = column{"c", "no defences", func(c *server.Config) {
	process := firewalltest.Defence("Origin-Agent-Cluster")
	c.Defences = firewalltest.Without(slices.DeleteFunc(firewall.AllDefences(), func(d firewall.Defence) bool { return d == process })...)
}}

var namings = []column{
	{"s", "{id}.sandbox.localhost", func(*server.Config) {}},
	{"l", "{id}.localhost", func(c *server.Config) { c.InnerHost = "{id}.localhost" }},
}

// A Browser is what the tests of an engine know of it.
type Browser struct {
	Engine escape.Engine
	// Drive starts it, and returns how to open pages and how to end it.
	Drive func(testing.TB) (open Driver, finish func())
	// Namings is under how many of the two namings of hosts the rows run.
	Namings int
	// Workerless: it gives a sandbox no service worker. Then the rows of requests and frames
	// run, under the policy of an MCP App, which prefers the worker.
	Workerless bool
	// TLS: the server speaks HTTPS, and one row of each family is run. The canary speaks
	// HTTP to most rows, so the browser has to take its hosts for secure ones: otherwise a
	// control would end at the browser's block of mixed content.
	TLS bool
}

// Rows runs every row in every column and in the control, ends the browser, and
// then reads the canary's record.
func (b Browser) Rows(t *testing.T) {
	columns := namings[:b.Namings]
	s := newSuite(t, b, append(slices.Clone(columns), control))
	rows := s.proving(t, s.selected(t))
	isApart := func(r escape.Row) bool { return r.Apart }
	together := slices.DeleteFunc(slices.Clone(rows), isApart)
	apart := slices.DeleteFunc(slices.Clone(rows), func(r escape.Row) bool { return !isApart(r) })
	var browsers sync.WaitGroup
	for _, those := range [][]escape.Row{apart, together} {
		if len(those) > 0 {
			open, finish := b.Drive(t)
			browsers.Go(func() {
				s.runAll(t, open, escape.Batches(those), columns)
				finish()
			})
		}
	}
	browsers.Wait()
	s.quiesce(t)
	s.judge(t, rows, columns)
}
