// Command load measures a server with many sandboxes. It prints tables in Markdown that
// say what a sandbox, a stream, and a push cost in memory and time.
//
//	cd bench && go run ./load [--sandboxes 10000] [--streams 1000] [--pushes 200] [--time 30s]
//
// The command starts itself again as a child. The parent runs the clients, the child
// runs the server, so the child's memory is the server's alone. The child creates the
// sandboxes through the Go methods. Then it pushes files into the followed sandboxes,
// in turn, at a steady rate. The latency of a push is the time from the event's
// timestamp, which the server sets, to its arrival at the client. Both processes run on
// one machine, so they share a clock.
//
//   - main.go: the settings and the tables.
//   - serve.go: the child.
//   - follow.go: the clients.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"
)

type settings struct {
	Sandboxes, Files, Streams, Pushes int
	Time                              time.Duration
}

// report is what the child reports after each step, as a line of JSON.
type report struct {
	Port   int
	Follow []string        // addresses of outer frames to follow
	Calls  []time.Duration // how long each call of the step took
	Heap   int64           // bytes in use after a collection
	Peak   int64           // bytes: the most that the process ever had in memory
}

// childName is the argument that starts the child, instead of flags.
const childName = "serve"

func main() {
	if len(os.Args) == 2 && os.Args[1] == childName {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "load, the server:", err)
			os.Exit(1)
		}
		return
	}
	var s settings
	flag.IntVar(&s.Sandboxes, "sandboxes", 10_000, "how many sandboxes to create")
	flag.IntVar(&s.Files, "files", 20, "files in each sandbox")
	flag.IntVar(&s.Streams, "streams", 1_000, "how many sandboxes to follow")
	flag.IntVar(&s.Pushes, "pushes", 200, "pushes a second")
	flag.DurationVar(&s.Time, "time", 30*time.Second, "how long to push")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(s settings) (err error) {
	if s.Streams < 1 || s.Streams > s.Sandboxes || s.Files < 1 || s.Pushes < 1 || s.Time < time.Second {
		return errors.New("at least 1 stream, 1 sandbox for each stream, 1 file, 1 push a second, and 1 s are needed; see --help")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	child := exec.Command(program, childName)
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		return err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := child.Start(); err != nil {
		return err
	}
	// The child exits when its standard input ends.
	defer func() { err = errors.Join(err, in.Close(), child.Wait()) }()
	reports := json.NewDecoder(out)
	// next makes the child do its next step.
	next := func(word any) (r report, err error) {
		if err := json.NewEncoder(in).Encode(word); err != nil {
			return r, err
		}
		err = reports.Decode(&r)
		if errors.Is(err, io.EOF) {
			err = errors.New("the server exited; the reason is above")
		}
		return r, err
	}

	empty, err := next(s)
	if err != nil {
		return err
	}
	made, err := next("create")
	if err != nil {
		return err
	}
	followers, err := follow(made.Port, made.Follow, s)
	if err != nil {
		return err
	}
	defer followers.close()
	open, err := next("measure")
	if err != nil {
		return err
	}
	pushed, err := next("push")
	if err != nil {
		return err
	}
	arrived, err := followers.wait(len(pushed.Calls))
	if err != nil {
		return err
	}

	fmt.Printf("%s/%s, %d processors, %s. %d sandboxes of %d files each, %d event streams, %d pushes a second for %s.\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), s.Sandboxes, s.Files, s.Streams, s.Pushes, s.Time)
	fmt.Println("| | count | median | 90 % | 99 % | 99.9 % | most |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, row := range []struct {
		name  string
		times []time.Duration
	}{
		{"making a sandbox", made.Calls}, {"a push: the call of SetFiles", pushed.Calls}, {"a push: until its event is at the client", arrived},
	} {
		slices.Sort(row.times)
		fmt.Printf("| %s | %d |", row.name, len(row.times))
		for _, part := range []float64{.5, .9, .99, .999, 1} {
			fmt.Printf(" %s |", short(row.times[min(len(row.times)-1, int(part*float64(len(row.times))))]))
		}
		fmt.Println()
	}
	fmt.Println("\n| memory of the server | heap in use | for each |\n|---|--:|--:|")
	fmt.Printf("| empty | %s | |\n", mib(empty.Heap))
	fmt.Printf("| with the sandboxes | %s | %.1f KiB a sandbox |\n", mib(made.Heap), float64(made.Heap-empty.Heap)/1024/float64(s.Sandboxes))
	fmt.Printf("| with the streams | %s | %.1f KiB a stream |\n", mib(open.Heap), float64(open.Heap-made.Heap)/1024/float64(s.Streams))
	fmt.Printf("| after the pushes | %s | |\n", mib(pushed.Heap))
	fmt.Printf("| resident, at its peak | %s | |\n", mib(pushed.Peak))
	return nil
}

func mib(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

func short(d time.Duration) string {
	if d < time.Millisecond {
		return d.Round(time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
