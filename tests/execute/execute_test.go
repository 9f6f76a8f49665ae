package execute

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Code that is run on demand: each way in which it can end, in three engines.

// executions is how many executions run at the same time.
const executions = 100

var executeFiles = map[string]string{
	"/index.html":     `<!doctype html><meta charset="utf-8"><title>Executions</title><p id="word">ready`,
	"/lib/double.mjs": "export const double = (n) => 2 * n\n",
	"/data.json":      `{"answer": 42}`,
}

// An executeRow is code and its expected outcome.
type executeRow struct {
	name, code, args string
	result, types    string               // as JSON
	failure          protocol.FailureCode // instead of a result
	says             string               // part of the failure's name, message, and stack
	console          string               // its lines in the console
}

var executeRows = []executeRow{
	{name: "value", code: `export default { a: [1, 'two', null, true], b: { c: 0.5 } }`, result: `{"a":[1,"two",null,true],"b":{"c":0.5}}`},
	{name: "function", code: `export default ({ a, b }) => a + b`, args: `{"a": 2, "b": 3, "__proto__": {"a": 9}}`, result: `5`},
	{name: "no arguments", code: `export default (...given) => [given.length, given[0] === undefined]`, result: `[1,true]`},
	{name: "async", code: `export default async (n) => { await new Promise((r) => setTimeout(r, 1)); return n * 2 }`, args: `21`, result: `42`},
	{name: "promise", code: `export default Promise.resolve('given')`, result: `"given"`},
	{name: "nothing", code: `const a = 1`, result: `null`, types: `{"":"undefined"}`},
	{name: "types", code: `const cycle = { name: 'c' }; cycle.self = cycle
export default { n: NaN, z: -0, i: -Infinity, big: 12345678901234567890n, d: new Date(0), m: new Map([['k', new Set([1])]]), u: new Uint8Array([1, 2, 255]), b: new Uint16Array([1]).buffer, r: /x/gi, 'a/b~c': undefined, cycle, __proto__: null, ['__proto__']: 1 }`,
		result: `{"n":null,"z":0,"i":null,"big":"12345678901234567890","d":"1970-01-01T00:00:00.000Z","m":[["k",[1]]],"u":"AQL/","b":"AQA=","r":"/x/gi","a/b~c":null,"cycle":{"name":"c","self":null},"__proto__":1}`,
		types:  `{"/n":"NaN","/z":"-0","/i":"-Infinity","/big":"bigint","/d":"Date","/m":"Map","/m/0/1":"Set","/u":"Uint8Array","/b":"ArrayBuffer","/r":"RegExp","/a~1b~0c":"undefined","/cycle/self":"cycle /cycle"}`},
	{name: "throw", code: "export default () => {\n  throw new RangeError('on purpose')\n}", failure: protocol.FailureThrew, says: "code.js:2"},
	{name: "throw at once", code: `throw new TypeError('at once')`, failure: protocol.FailureThrew, says: "at once"},
	{name: "throw no error", code: `export default () => { throw { odd: 1 } }`, failure: protocol.FailureThrew, says: "{odd: 1}"},
	{name: "reject", code: `export default () => Promise.reject(new Error('rejected'))`, failure: protocol.FailureThrew, says: "rejected"},
	{name: "syntax error", code: `export default (`, failure: protocol.FailureThrew, says: "SyntaxError"},
	{name: "import", code: `import { double } from '/lib/double.mjs'
export default async (n) => double(n) + (await (await fetch('/data.json')).json()).answer`, args: `4`, result: `50`},
	{name: "import missing", code: `import '/lib/none.mjs'`, failure: protocol.FailureThrew, says: "Error"},
	{name: "function as result", code: `export default () => ({ list: [1, { f: () => 1 }] })`, failure: protocol.FailureUnserializable, says: "/list/1/f is a function"},
	{name: "symbol as result", code: `export default Symbol('s')`, failure: protocol.FailureUnserializable, says: "The result is a symbol"},
	{name: "too large", code: `export default 'x'.repeat(3e6)`, failure: protocol.FailureResultTooLarge, says: "larger than"},
	{name: "console", code: `console.log('one', { two: 2 }); console.warn('%s!', 'three')
export default () => { console.error('four') }`, result: `null`, types: `{"":"undefined"}`, console: "log one {two: 2}\nwarn three!\nerror four\n"},
	{name: "patched", code: `globalThis.fetch = JSON.stringify = globalThis.structuredClone = () => { throw 0 }; Object.prototype.toJSON = () => 'forged'
export default { a: 1 }`, result: `{"a":1}`},
}

func TestExecute(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			c := canary.Start(t)
			target := c.URL("host", "x.json")
			sandbox := g.NewSandbox(t, executeFiles, fmt.Sprintf("version: 1\ndefault: block\nrules:\n  - id: read\n    allow: %q\n    methods: [GET]\n", target))
			open(t, sandbox.HostURL())
			for _, row := range executeRows {
				t.Run(row.name, func(t *testing.T) { row.run(t, sandbox) })
			}
			t.Run("requests", func(t *testing.T) {
				// WebKitGTK (2.50) does not tell a worker what its policy blocked. So only the
				// service worker's verdicts are expected there.
				executeRequests(t, sandbox, c, target, name != "WebKitGTK")
			})
			t.Run("endless", func(t *testing.T) { executeEndless(t, sandbox) })
			t.Run("at once", func(t *testing.T) { executeAtOnce(t, sandbox) })
		})
	}
}

// execute runs the code with a timeout that suits a busy machine.
func execute(t *testing.T, sandbox *server.Sandbox, e server.Execution) *server.Outcome {
	t.Helper()
	if e.Timeout == 0 {
		e.Timeout = time.Minute
	}
	outcome, err := sandbox.Execute(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func (row executeRow) run(t *testing.T, sandbox *server.Sandbox) {
	row.runAs(t, sandbox, server.Execution{})
}

// runAs runs the row's code with the settings of e.
func (row executeRow) runAs(t *testing.T, sandbox *server.Sandbox, e server.Execution) {
	t.Helper()
	e.Code = row.code
	if row.args != "" {
		e.Args = json.RawMessage(row.args)
	}
	got := execute(t, sandbox, e)
	if row.failure != "" {
		if got.Error == nil || got.Error.Code != row.failure || got.Result != nil {
			t.Fatalf("it gave %s, %+v, not %s", got.Result, got.Error, row.failure)
		}
		if all := got.Error.Name + ": " + got.Error.Message + "\n" + got.Error.Stack; !strings.Contains(all, row.says) {
			t.Errorf("it failed with %q, not with %q in it", all, row.says)
		}
		return
	}
	if got.Error != nil {
		t.Fatalf("it failed: %+v", got.Error)
	}
	types, err := json.Marshal(got.Types)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, "the result", got.Result, row.result)
	if row.types == "" {
		row.types = "{}"
	}
	sameJSON(t, "the types", types, row.types)
	var console strings.Builder
	for _, line := range got.Console {
		fmt.Fprintf(&console, "%s %s\n", line.Level, line.Text)
		if line.Execution != got.ID || line.Source != protocol.SourcePage {
			t.Errorf("a line is marked %q, %q", line.Execution, line.Source)
		}
	}
	if console.String() != row.console {
		t.Errorf("the console has %q, want %q", console.String(), row.console)
	}
}

func sameJSON(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatalf("%s %s: %v", what, got, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	x, y := fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)
	if x != y {
		t.Errorf("%s is %s, want %s", what, got, want)
	}
}

// The requests of an execution are judged like a page's, and reported with the execution.
func executeRequests(t *testing.T, sandbox *server.Sandbox, c *canary.Canary, target string, violations bool) {
	got := execute(t, sandbox, server.Execution{Code: `export default async ([url, other]) => {
	const status = (await fetch(url)).status
	const refused = []
	for (const [to, init] of [[url, { method: 'POST', body: 'x' }], [other, {}]]) {
		try { await fetch(to, init); refused.push(false) } catch { refused.push(true) }
	}
	return [status, (await fetch('/lib/double.mjs')).status, ...refused]
}`, Args: json.RawMessage(fmt.Sprintf("[%q, %q]", target, c.URL("other", "x.json")))})
	if got.Error != nil {
		t.Fatalf("it failed: %+v", got.Error)
	}
	sameJSON(t, "what came of the requests", got.Result, `[200,200,true,true]`)
	for _, hit := range c.All() {
		if hit.Kind == "http" && (hit.Method != "GET" || hit.Token != "host") {
			t.Errorf("%s %s got out", hit.Method, hit.Path)
		}
	}
	var seen []string
	for _, v := range got.Verdicts {
		seen = append(seen, fmt.Sprint(v.Action, " ", v.Method, " ", v.Virtual, " ", v.Rule))
		if v.Execution != got.ID || v.Source != protocol.SourceWorker {
			t.Errorf("a verdict is marked %q, %q", v.Execution, v.Source)
		}
	}
	if want := []string{"allow GET false read", "block POST false ", "allow GET true "}; fmt.Sprint(seen[:min(3, len(seen))]) != fmt.Sprint(want) {
		t.Errorf("the verdicts are %q, want %q first", seen, want)
	}
	for _, v := range got.Violations {
		if v.Execution != got.ID || v.Action != protocol.ActionBlock || !strings.Contains(v.Target, "/other/") {
			t.Errorf("the browser refused %+v", v)
		}
	}
	if (len(got.Violations) == 1) != violations {
		t.Errorf("the violations for URLs that no rule names: %+v", got.Violations)
	}
}

// Code that does not end is stopped, and what it wrote is reported. An execution beside it and
// the next one still run.
func executeEndless(t *testing.T, sandbox *server.Sandbox) {
	var group sync.WaitGroup
	defer group.Wait()
	for _, code := range []string{
		// Its lock is released when it has ended, and not earlier.
		`await navigator.locks.request('held', () => { console.log('begun'); for (;;) {} })`,
		`console.log('begun'); export default () => new Promise(() => {})`,
		`console.log('begun'); await fetch('/data.json'); const loop = () => Promise.resolve().then(loop); loop(); await new Promise(() => {})`,
	} {
		group.Go(func() {
			got, err := sandbox.Execute(t.Context(), server.Execution{Code: code, Timeout: 5 * time.Second})
			if err != nil || got.Error == nil || got.Error.Code != protocol.FailureTimeout {
				t.Errorf("%s: it gave %+v, %v", code, got, err)
				return
			}
			if len(got.Console) != 1 || got.Console[0].Text != "begun" {
				t.Errorf("%s: the console has %+v", code, got.Console)
			}
		})
	}
	const ends = `export default 'ended'`
	if beside := execute(t, sandbox, server.Execution{Code: ends}); string(beside.Result) != `"ended"` {
		t.Errorf("beside them it gave %s, %+v", beside.Result, beside.Error)
	}
	group.Wait()
	if next := execute(t, sandbox, server.Execution{Code: `export default navigator.locks.request('held', () => 'free')`}); string(next.Result) != `"free"` {
		t.Errorf("after them it gave %s, %+v; the loop runs on", next.Result, next.Error)
	}
}

// Executions at the same time are kept apart: arguments, results, consoles, and verdicts.
func executeAtOnce(t *testing.T, sandbox *server.Sandbox) {
	began := time.Now()
	var group sync.WaitGroup
	for i := range executions {
		group.Go(func() {
			got, err := sandbox.Execute(t.Context(), server.Execution{
				Code: `export default async (n) => {
	console.log('n', n)
	globalThis.mine ??= n
	await fetch('/data.json?' + n)
	if (n % 5 === 0) throw new Error('five ' + globalThis.mine)
	return globalThis.mine
}`,
				Args: json.RawMessage(fmt.Sprint(i)), Timeout: 3 * time.Minute,
			})
			if err != nil {
				t.Error(err)
				return
			}
			switch {
			case i%5 == 0 && (got.Error == nil || got.Error.Message != fmt.Sprint("five ", i)):
				t.Errorf("%d failed with %+v", i, got.Error)
			case i%5 != 0 && (got.Error != nil || string(got.Result) != fmt.Sprint(i)):
				t.Errorf("%d gave %s, %+v", i, got.Result, got.Error)
			}
			if len(got.Console) != 1 || got.Console[0].Text != fmt.Sprint("n ", i) {
				t.Errorf("%d wrote %+v", i, got.Console)
			}
			if len(got.Verdicts) != 1 || !strings.HasSuffix(got.Verdicts[0].URL, fmt.Sprint("/data.json?", i)) {
				t.Errorf("%d asked for %+v", i, got.Verdicts)
			}
		})
	}
	group.Wait()
	t.Logf("%d executions took %s", executions, time.Since(began).Round(time.Millisecond))
}
