// Command stormserver is the server of the storm. It is a separate process, so that its
// memory and log are its own. It is built without the race detector, as the product is,
// because the detector would use most of the memory. It reads one command a line from
// standard input, and answers each with a line of JSON.
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

// An answer is the answer to any command.
type answer struct {
	// To the start.
	Port int
	// To "sandbox" with a policy and files in JSON.
	ID, URL, OuterURL string
	// To "create N": how many sandboxes were created, and how many were refused.
	Made, Refused int
	// To "memory": bytes of the heap after a collection, and the most memory that the
	// process ever had, in bytes.
	Heap, Peak int64
}

type sandboxSpec struct {
	Policy string
	Files  map[string]string
}

// sandboxes is the server's limit on sandboxes.
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
		Limits: server.Limits{Limits: server.SandboxLimits{Sandboxes: sandboxes}},
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

// peak returns the most memory that this process ever had (proc(5), VmHWM), in bytes.
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
