// Command stormserver is the server of the storm: a process of its own, so that its
// memory and its log are nobody else's, and built as the product is, without the
// race detector, whose memory would be most of it. It reads commands from standard
// input, a line each, and answers each with a line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// An answer answers any command.
type answer struct {
	// Of the start.
	Port int
	// Of "sandbox" with a policy, files and nothing else in JSON.
	ID, URL, OuterURL string
	// Of "create N": how many sandboxes could be made, and how many could not.
	Made, Refused int
	// Of "memory": bytes of the heap after a collection, and the most bytes that
	// the process has had in memory.
	Heap, Peak int64
}

type sandboxSpec struct {
	Policy string
	Files  map[string]string
}

// sandboxes is the server's limit on them.
const sandboxes = 500

func main() {
	if err := run(os.Stdin, json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "the storm's server:", err)
		os.Exit(1)
	}
}

func run(commands io.Reader, answers *json.Encoder) error {
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	srv, err := server.New(server.Config{
		PublicURL: listeners.URL(), Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Limits: server.Limits{Sandboxes: sandboxes},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listeners) }()
	if err := answers.Encode(answer{Port: listeners.Port()}); err != nil {
		return err
	}
	lines := bufio.NewScanner(commands)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		a, err := obey(srv, lines.Text())
		if err != nil {
			return err
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
	cancel()
	return errors.Join(lines.Err(), <-ended)
}

func obey(srv *server.Server, line string) (a answer, err error) {
	command, argument, _ := strings.Cut(line, " ")
	switch command {
	case "sandbox":
		var spec sandboxSpec
		if err := json.Unmarshal([]byte(argument), &spec); err != nil {
			return a, err
		}
		sandbox, err := makeSandbox(srv, spec)
		if err != nil {
			return a, err
		}
		a.ID, a.URL, a.OuterURL = sandbox.ID(), sandbox.URL(), sandbox.OuterURL()
	case "create":
		var n int
		if _, err := fmt.Sscan(argument, &n); err != nil {
			return a, err
		}
		for range n {
			switch _, err := makeSandbox(srv, sandboxSpec{Policy: "version: 1\n", Files: map[string]string{"/index.html": "x"}}); {
			case err == nil:
				a.Made++
			case errors.Is(err, server.ErrFull):
				a.Refused++
			default:
				return a, err
			}
		}
	case "memory":
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		a.Heap = int64(m.HeapAlloc)
		a.Peak, err = peak()
	default:
		err = fmt.Errorf("unknown command %q", line)
	}
	return a, err
}

func makeSandbox(srv *server.Server, spec sandboxSpec) (*server.Sandbox, error) {
	policy, err := rules.Parse("rules.yaml", []byte(spec.Policy))
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for path, text := range spec.Files {
		contents[path] = []byte(text)
	}
	files, err := srv.Store().Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		return nil, err
	}
	return srv.Create(server.Spec{Name: "storm", Files: files, Policy: policy})
}

// peak is the most memory that this process has had (proc(5), VmHWM).
func peak() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	_, err = fmt.Sscan(rest, &kib)
	return kib << 10, err
}
