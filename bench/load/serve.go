package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// policy has a few rules. Each sandbox parses it separately.
const policy = `version: 1
scripts: [inline, wasm]
rules:
  - id: api
    allow: https://api.example.com/v1/**
    methods: [GET, POST]
  - id: cdn
    allow: ["https://*.jsdelivr.net", https://esm.sh]
    types: [script, style, font]
`

// serve is the child. It reads the settings and then one word for each step, and
// answers each step with a report.
func serve(in io.Reader, out io.Writer) error {
	words, reports := json.NewDecoder(in), json.NewEncoder(out)
	var s settings
	if err := words.Decode(&s); err != nil {
		return err
	}
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	glass, err := server.New(server.Config{PublicURL: listeners.URL(), Limits: server.Limits{Limits: server.SandboxLimits{Sandboxes: s.Sandboxes}, Streams: s.Streams}})
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- glass.Serve(ctx, listeners) }()

	if err := tell(reports, report{}); err != nil {
		return err
	}
	var sandboxes []*server.Sandbox
	for {
		var word string
		err := words.Decode(&word)
		if errors.Is(err, io.EOF) {
			end()
			return <-ended
		}
		r := report{Port: listeners.Port()}
		switch word {
		case "create":
			sandboxes, r.Calls, err = create(glass, s)
			for _, each := range sandboxes[:min(len(sandboxes), s.Streams)] {
				r.Follow = append(r.Follow, each.OuterURL())
			}
		case "measure":
		case "push":
			r.Calls, err = push(glass, sandboxes[:s.Streams], s)
		default:
			err = errors.Join(err, fmt.Errorf("unknown step %q", word))
		}
		if err != nil {
			return err
		}
		if err := tell(reports, r); err != nil {
			return err
		}
	}
}

// create creates the sandboxes. Half of a sandbox's files are its own. The other half
// is the same in all sandboxes, as libraries are.
func create(glass *server.Server, s settings) (sandboxes []*server.Sandbox, calls []time.Duration, err error) {
	filler := strings.Repeat("0123456789abcdef", 64) // 1 KiB
	for i := range s.Sandboxes {
		contents := map[string][]byte{}
		for j := range s.Files {
			text := fmt.Sprintf("// file %d\n%s", j, filler)
			if j%2 == 0 {
				text = fmt.Sprintf("// file %d of %d\n%s", j, i, filler)
			}
			contents[fmt.Sprintf("/src/file%d.js", j)] = []byte(text)
		}
		began := time.Now()
		files, err := glass.Store().Snapshot(contents, vfs.DefaultLimits())
		if err != nil {
			return nil, nil, err
		}
		own, err := rules.Parse("policy.yaml", []byte(policy))
		if err != nil {
			return nil, nil, err
		}
		sandbox, err := glass.Create(server.Spec{Name: fmt.Sprint("load ", i), Files: files, Policy: own, Keep: true})
		if err != nil {
			return nil, nil, err
		}
		sandboxes, calls = append(sandboxes, sandbox), append(calls, time.Since(began))
	}
	return sandboxes, calls, nil
}

// push changes a file in one sandbox after another, at a steady rate.
func push(glass *server.Server, sandboxes []*server.Sandbox, s settings) (calls []time.Duration, err error) {
	tick := time.NewTicker(time.Second / time.Duration(s.Pushes))
	defer tick.Stop()
	for i := range int(s.Time.Seconds() * float64(s.Pushes)) {
		<-tick.C
		contents := map[string][]byte{}
		for j := range s.Files {
			contents[fmt.Sprintf("/src/file%d.js", j)] = fmt.Appendf(nil, "// file %d after push %d", j, i)
		}
		files, err := glass.Store().Snapshot(contents, vfs.DefaultLimits())
		if err != nil {
			return nil, err
		}
		began := time.Now()
		if _, err := sandboxes[i%len(sandboxes)].SetFiles(files); err != nil {
			return nil, err
		}
		calls = append(calls, time.Since(began))
	}
	return calls, nil
}

// tell adds the memory in use to a report and sends it.
func tell(to *json.Encoder, r report) error {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	r.Heap = int64(m.HeapAlloc)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return fmt.Errorf("the resident memory can be read on Linux only: %w", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &r.Peak); err != nil {
		return fmt.Errorf("no VmHWM in /proc/self/status: %w", err)
	}
	r.Peak <<= 10 // KiB (proc(5))
	return to.Encode(r)
}
