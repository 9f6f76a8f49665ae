package sw_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
	"testing/fstest"

	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
)

// nodeHost is the program that Node is started with. The first line of its input is the
// bundled code, which calls serve. Each further line is a question, which it answers with one
// line. It ends when its input ends.
const nodeHost = `'use strict'
const { createInterface } = require('node:readline')
const vm = require('node:vm')
let reply
globalThis.serve = (given) => { reply = given }
createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  if (reply === undefined) vm.runInThisContext(JSON.parse(line), { filename: 'worker.js' })
  else process.stdout.write(JSON.stringify(reply(JSON.parse(line))) + '\n')
}).on('close', () => process.exit())
`

// startNode bundles the product's TypeScript with an entry that calls serve, and returns a
// function that asks the running process. It is for fuzz targets, which ask too often for one
// process per question.
func startNode(f *testing.F, entry string) func(t *testing.T, question, answer any) {
	f.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		f.Fatalf("this test runs the product's TypeScript in Node (version 20 or newer), which is not there: %v", err)
	}
	sources := sw.Sources{
		"sw": sw.TypeScript, "protocol": protocol.TypeScript, "outer-frame": outerframe.TypeScript,
		"test": fstest.MapFS{"run.ts": {Data: []byte("declare const serve: (reply: (question: any) => unknown) => void\n" + entry)}},
	}
	bundle, err := sw.Bundle(sources, "test/run.ts", nil)
	if err != nil {
		f.Fatal(err)
	}
	cmd := exec.Command(node, "-e", nodeHost)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		f.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		f.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			f.Errorf("Node: %v\n%.4000s", err, &stderr)
		}
	})
	// Encode ends each value with a line feed.
	questions, answers := json.NewEncoder(stdin), bufio.NewReader(stdout)
	if err := questions.Encode(string(bundle.JS)); err != nil {
		f.Fatal(err)
	}
	return func(t *testing.T, question, answer any) {
		t.Helper()
		if err := questions.Encode(question); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatalf("Node has ended: %v\n%.4000s", err, &stderr)
		}
		if err := json.Unmarshal(line, answer); err != nil {
			t.Fatalf("%v: %.300q", err, line)
		}
	}
}
