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

// A question is a program with requests on it. The reply is a list of
// decisions, one for each.
type question struct {
	Program  *rules.Program `json:"program"`
	Requests []asked        `json:"requests"`
}

type asked struct {
	Method string     `json:"method"`
	Type   rules.Type `json:"type"` // "" is undefined to the worker
	URL    string     `json:"url"`
}

// A decision is the worker's answer on a URL, and the URL as it is serialised, ""
// if it cannot be parsed.
type decision struct {
	answer
	Href string `json:"href"`
}

// entry gives the worker's code what a browser would: the URL as the browser
// serialises it, or as it stands if it is none.
const entry = `import { decide } from '../sw/src/decide'
import { openProgram } from '../sw/src/program'
declare const serve: (reply: (question: any) => unknown) => void
function serialised(raw: string): string {
  try {
    return new URL(raw).href
  } catch {
    return ''
  }
}
serve(({ program: base64, requests }) => {
  const program = openProgram(base64)
  return requests.map((r: any) => {
    const href = serialised(r.url)
    const url = href === '' ? r.url : href
    const { action, rule, code, file, line } = decide(program, { method: r.method, type: r.type === '' ? undefined : r.type, url })
    return { action, rule, code, file, line, href }
  })
})
`

// host is the program that Node is started with. The first line that it reads is
// the bundled code, and each one after it a question, which is answered by a
// line. When its input ends, because the test has ended or has been killed, it
// ends; and an answer that takes too long ends it too, so that it can always see
// that its input has ended.
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

// No answer takes that long. What does is a fault of the worker, which must never
// be made slow by a URL.
const patience = 20 * time.Second

// A node is a Node process that answers.
type node struct {
	mu      sync.Mutex
	stdin   io.WriteCloser
	answers chan []byte // closed when it has ended
	stderr  bytes.Buffer
	cmd     *exec.Cmd
	ended   error // why, set before answers is closed
}

// startNode starts the process when it is first asked for; the tests of a
// process share it, and a worker of the fuzzer is a process of its own.
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

// started is what TestMain has to end, nil if no test asked.
var started *node

func (n *node) read(stdout io.Reader) {
	defer close(n.answers)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			// Wait also returns when all of stderr is read.
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

// ask asks the worker's code.
func (n *node) ask(q question) ([]decision, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	unsent := n.send(q) // Node has ended then, and says why
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
		for range n.answers { // until it has ended
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
	for range n.answers { // none is to come
	}
	if code := n.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("%w\n%.4000s", n.ended, n.stderr.String())
	}
	return nil
}
