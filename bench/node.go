package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing/fstest"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
)

//go:embed node/run.mjs
var harness string

//go:embed node/ours.js
var callOurs []byte

// A nodeProcess is a Node process with the worker's code and Ghostery's engine.
type nodeProcess struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	versions struct{ Node, V8, Ghostery string }
}

func startNode() (*nodeProcess, error) {
	packages, err := installPackages()
	if err != nil {
		return nil, err
	}
	worker, err := sw.Bundle(sw.Sources{
		"sw": sw.TypeScript, "protocol": protocol.TypeScript, "bench": fstest.MapFS{"ours.js": {Data: callOurs}},
	}, "bench/ours.js", nil)
	if err != nil {
		return nil, err
	}
	n := &nodeProcess{cmd: exec.Command("node", "--expose-gc", "--input-type=module", "--eval", harness)}
	n.cmd.Stderr = os.Stderr
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.out = bufio.NewReader(out)
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the worker's code is measured in Node (version 20 or newer): %w", err)
	}
	if err := n.call("start", map[string]string{"worker": string(worker.JS), "packages": packages}, &n.versions); err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

// call sends one command and waits for its answer.
func (n *nodeProcess) call(command string, argument, answer any) error {
	line, err := json.Marshal([]any{command, argument})
	if err != nil {
		return err
	}
	if _, err := n.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("node, %s: %w", command, err)
	}
	if line, err = n.out.ReadBytes('\n'); err != nil {
		return fmt.Errorf("node ended at %s: %w", command, err)
	}
	var reply struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return fmt.Errorf("node, %s: %w", command, err)
	}
	if reply.Error != "" {
		return fmt.Errorf("node, %s: %s", command, reply.Error)
	}
	return json.Unmarshal(reply.Value, answer)
}

// close ends the process by closing its input.
func (n *nodeProcess) close() error {
	return errors.Join(n.in.Close(), n.cmd.Wait())
}

// give sets the URLs that later commands decide.
func (n *nodeProcess) give(urls []string) error {
	var spelled []string
	if err := n.call("urls", urls, &spelled); err != nil {
		return err
	}
	for i, url := range urls {
		if spelled[i] != url {
			return fmt.Errorf("a browser writes %.100q as %.100q, so the worker never sees the former", url, spelled[i])
		}
	}
	return nil
}

// open makes Node open the program the given number of times.
func (n *nodeProcess) open(p program, times int) (samples, error) {
	var opened struct{ NS samples }
	err := n.call("open", map[string]any{"program": p.base64(), "times": times}, &opened)
	return opened.NS, err
}

// An inNode is a contender that runs in Node.
type inNode struct {
	node *nodeProcess
	name string
}

func (c inNode) Run(requests, passes int) (time.Duration, int, error) {
	var ran struct {
		NS      int64
		Allowed int
	}
	err := c.node.call("run", map[string]any{"contender": c.name, "requests": requests, "passes": passes}, &ran)
	return time.Duration(ran.NS), ran.Allowed, err
}
