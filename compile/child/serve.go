package child

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/compile/transform"
)

// MaxMemory is the maximum memory of a child, in bytes, of which its sources need a small part.
const MaxMemory = 1 << 30

// maxStack is the maximum size of a goroutine's stack in a child, in bytes. Go doubles a stack, and
// needs the old one meanwhile.
const maxStack = 256 << 20

// argument is the only argument of a child, its name.
const argument = "bellglass-compiler"

// An init function, because a program that uses the packages above this one must not have to know
// of it: a program that forgot to call a function would be unsafe, or start itself as a whole.
func init() {
	if len(os.Args) == 1 && os.Args[0] == argument {
		os.Exit(run())
	}
}

// run is the main function of a child.
func run() int {
	debug.SetTraceback("none") // a stack of 256 MiB has a long trace
	debug.SetMaxStack(maxStack)
	// A child lives for its requests, so memory may grow before it is collected: 100 components
	// compile in 0.8 of the time that Go's default of 100 takes.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(MaxMemory * 3 / 4)
	if err := limit(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// serve answers requests, each as soon as it is done, until in ends. It does not wait for those
// that run then: nobody reads their responses.
func serve(in io.Reader, out io.Writer) error {
	a := answers{buffer: bufio.NewWriter(out)}
	a.encoder = gob.NewEncoder(a.buffer)
	if err := a.send(response{}); err != nil {
		return err
	}
	var running watched
	for decoder := gob.NewDecoder(bufio.NewReader(in)); ; {
		var r request
		if err := decoder.Decode(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		running.begin()
		go func() {
			defer running.end()
			// If the parent is gone, the next read ends the child.
			_ = a.send(answer(r))
		}()
	}
}

// answers writes responses.
type answers struct {
	mu      sync.Mutex
	buffer  *bufio.Writer
	encoder *gob.Encoder
}

func (a *answers) send(r response) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.encoder.Encode(r); err != nil {
		return err
	}
	return a.buffer.Flush()
}

func answer(r request) (a response) {
	a.ID = r.ID
	defer func() {
		if v := recover(); v != nil {
			a = response{ID: r.ID, Panic: fmt.Sprint(v)}
		}
	}()
	switch r.Operation {
	case scan:
		a.Output = transform.Scan(r.Source)
	case names:
		a.Names = transform.Names(r.Source)
	case emit:
		a.Output = transform.Emit(r.Source, r.Targets)
	case style:
		a.Styled = transform.Style(r.Source.Path, r.Source.Text)
	case bundle:
		a.Bundled = bundled(r.Packed)
	default:
		panic(fmt.Sprintf("unknown operation %d", r.Operation))
	}
	return a
}

// watched ends the process when it uses too much memory while requests are running. No system
// but Linux limits memory for Go, and a limit of the Go runtime is soft.
type watched struct{ requests atomic.Int64 }

func (w *watched) begin() {
	if w.requests.Add(1) == 1 {
		go w.watch()
	}
}

func (w *watched) end() { w.requests.Add(-1) }

func (w *watched) watch() {
	const interval = 10 * time.Millisecond // in which the fastest source takes some 50 MB
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for w.requests.Load() > 0 {
		metrics.Read(samples)
		if samples[0].Value.Uint64()-samples[1].Value.Uint64() > MaxMemory {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(1)
		}
		time.Sleep(interval)
	}
}
