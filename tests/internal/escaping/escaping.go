// Package escaping runs every row of package escape in a real browser, in a sandbox
// started through the product's public interface. The canary decides whether anything
// got out: HTTP, WebSocket, TLS, TCP, UDP, and DNS, each attributed to its row.
//
// The tests run in a separate network namespace with its own name server. Each row runs
// under both namings of the sandboxes' hosts, and then without defenses, as a positive
// control.
//
// The packages below tests/escape, one for each engine, drive their browsers. What is
// known to get out of an engine is a list of package escape.
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

// Main is called by TestMain of each engine's package.
func Main(m *testing.M) { os.Exit(netns.Run(m)) }

var (
	only     = flag.String("rows", "", "run only the rows whose name (FAMILY/NAME) this regular expression matches")
	all      = flag.Bool("all", false, "run also the rows that do not arrive without defenses either in this engine")
	app      = flag.Bool("app", false, "run the rows under the policy of an MCP App, which prefers the worker")
	warm     = flag.Bool("warm", false, "let the views of the rows boot before their sandboxes have files")
	isolated = flag.Bool("isolated", false, "grant the sandboxes of the rows cross-origin-isolated")
	learn    = flag.Bool("learn", false, "say what the list of the engine would have to hold, in place of holding the engine to it")
)

// atOnce is how many batches run concurrently.
const atOnce = 6

// patience bounds each wait for something that must happen. It is far longer than that
// takes, even beside other packages on a slow machine.
const patience = 4 * time.Minute

// A column is one way to run all rows.
type column struct {
	letter string
	name   string
	adjust func(*server.Config)
}

// control is the column without defenses, which proves that an attempt works. It keeps
// Origin-Agent-Cluster, which stops nothing. Without it, a document of the control,
// which may crash or block in a dialog, would share the process of all columns' outer
// frames, which are the same site.
var control = column{"c", "no defenses", func(c *server.Config) {
	process := firewalltest.Defense("Origin-Agent-Cluster")
	c.Defenses = firewalltest.Without(slices.DeleteFunc(firewall.AllDefenses(), func(d firewall.Defense) bool { return d == process })...)
}}

var namings = []column{
	{"s", "{id}.sandbox.localhost", func(*server.Config) {}},
	{"l", "{id}.localhost", func(c *server.Config) { c.InnerHost = "{id}.localhost" }},
}

// A Browser is what the tests of an engine know about it.
type Browser struct {
	Engine escape.Engine
	// Drive starts the browser. It returns a function that opens pages and one that
	// closes the browser.
	Drive func(testing.TB) (open Driver, finish func())
	// Namings is the number of host namings, of the two, under which the rows run.
	Namings int
	// Workerless means that the browser gives a sandbox no service worker. Then only
	// the rows of requests and frames run, under the policy of an MCP App, which
	// prefers the worker.
	Workerless bool
	// TLS means that the server speaks HTTPS. Then one row of each family runs. The
	// canary speaks HTTP to most rows, so the browser has to treat its hosts as secure.
	// Otherwise mixed content would be blocked, and no control would arrive.
	TLS bool
}

// Rows runs every row in every column and in the control, closes the browser, and then
// reads the canary's record.
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
