package agree

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sw"
	"testing/fstest"
)

// The third answer: the worker's own code, in V8.

// A question is a program with requests to decide. The reply is a list with one decision for
// each request.
type question struct {
	Program  *rules.Program `json:"program"`
	Requests []asked        `json:"requests"`
}

type asked struct {
	Method string     `json:"method"`
	Type   rules.Type `json:"type"` // "" is undefined in the worker
	URL    string     `json:"url"`
}

// A decision is the worker's answer on a URL, and the URL as it is serialized, or "" if it
// cannot be parsed.
type decision struct {
	answer
	Href string `json:"href"`
}

// entry passes the worker's code what a browser would pass: the serialized URL, or the raw
// text if it cannot be parsed.
const entry = `import { decide } from '../sw/src/decide'
import { openProgram } from '../sw/src/program'
declare const serve: (reply: (question: any) => unknown) => void
function serialized(raw: string): string {
  try {
    return new URL(raw).href
  } catch {
    return ''
  }
}
serve(({ program: base64, requests }) => {
  const program = openProgram(base64)
  return requests.map((r: any) => {
    const href = serialized(r.url)
    const url = href === '' ? r.url : href
    const { action, rule, code, file, line } = decide(program, { method: r.method, type: r.type === '' ? undefined : r.type, url })
    return { action, rule, code, file, line, href }
  })
})
`

// host is the program that Node is started with. The first line of its input is the bundled
// code. Each further line is a question, which it answers with one line. It ends when its
// input ends, because the test has ended or was killed. An answer that takes too long also
// ends it, so that it never misses the end of its input.
const host = `'use strict'
const { createInterface } = require('node:readline')
const vm = require('node:vm')
const answer = new vm.Script('reply(JSON.parse(line))')
globalThis.serve = (reply) => { globalThis.reply = reply }
let loaded = false
createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  globalThis.line = line
  if (loaded) {
    process.stdout.write(JSON.stringify(answer.runInThisContext({ timeout: ` + "%d" + ` })) + '\n')
  } else {
    vm.runInThisContext(JSON.parse(line), { filename: 'worker.js' })
    loaded = true
  }
}).on('close', () => process.exit())
`

// No answer takes that long. A slower answer is a bug in the worker, because no URL may make
// it slow.
const patience = 20 * time.Second

// A node is a running Node process that answers questions.
type node struct {
	mu      sync.Mutex
	stdin   io.WriteCloser
	answers chan []byte // closed when the process has ended
	stderr  bytes.Buffer
	cmd     *exec.Cmd
	ended   error // why the process ended; set before answers is closed
}

// startNode starts the process on first use. The tests of a process share it. Each worker of
// the fuzzer is a process of its own.
var startNode = sync.OnceValues(func() (*node, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("this test runs the worker's code in Node (version 20 or newer), which is not there: %w", err)
	}
	bundle, err := sw.Bundle(sw.Sources{"sw": sw.TypeScript, "test": fstest.MapFS{"run.ts": {Data: []byte(entry)}}}, "test/run.ts", nil)
	if err != nil {
		return nil, err
	}
	n := &node{answers: make(chan []byte), cmd: exec.Command(path, "-e", fmt.Sprintf(host, patience.Milliseconds()))}
	n.cmd.Stderr = &n.stderr
	stdout, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if n.stdin, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting Node: %w", err)
	}
	go n.read(stdout)
	started = n
	return n, n.send(string(bundle.JS))
})

// started is the process that TestMain has to end, or nil if no test used one.
var started *node

func (n *node) read(stdout io.Reader) {
	defer close(n.answers)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			// Wait also returns after all of stderr has been read.
			n.ended = errors.Join(errors.New("Node has ended"), n.cmd.Wait())
			return
		}
		n.answers <- line
	}
}

func (n *node) send(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = n.stdin.Write(append(line, '\n'))
	return err
}

// ask passes a question to the worker's code.
func (n *node) ask(q question) ([]decision, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	unsent := n.send(q) // if this fails, Node has ended, and its error says why
	timeout := time.NewTimer(2 * patience)
	defer timeout.Stop()
	select {
	case line, ok := <-n.answers:
		if !ok {
			return nil, fmt.Errorf("%w (sending: %v)\n%.4000s", n.ended, unsent, n.stderr.String())
		}
		var all []decision
		if err := json.Unmarshal(line, &all); err != nil {
			return nil, fmt.Errorf("the worker's code answered %.200q: %w", line, err)
		}
		if len(all) != len(q.Requests) {
			return nil, fmt.Errorf("%d decisions on %d requests", len(all), len(q.Requests))
		}
		return all, nil
	case <-timeout.C:
		err := n.cmd.Process.Kill()
		for range n.answers { // until the process has ended
		}
		return nil, fmt.Errorf("Node did not answer (ending it: %v)\n%.4000s", err, n.stderr.String())
	}
}

// stop ends the process and waits for it.
func (n *node) stop() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.stdin.Close(); err != nil {
		return err
	}
	timeout := time.AfterFunc(2*patience, func() { n.cmd.Process.Kill() })
	defer timeout.Stop()
	for range n.answers { // no more answers are expected
	}
	if code := n.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("%w\n%.4000s", n.ended, n.stderr.String())
	}
	return nil
}
