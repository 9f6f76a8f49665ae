// Package command runs the product as its users do: as a program, with arguments, an
// exit status, standard output, and standard error.
//
// [Build] builds it once for a test binary, and [BuildPackage] builds another program.
// [Run] runs it to its end. [Start] runs it until the test ends.
package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds each wait. It is far longer than any step takes.
const patience = 4 * time.Minute

var built struct {
	sync.Mutex
	programs map[string]string // path by package
}

// Build returns the path of the built program.
func Build(t testing.TB) string {
	t.Helper()
	return BuildPackage(t, "")
}

// BuildPackage builds a package of this module, without the race detector, and returns
// the program's path.
func BuildPackage(t testing.TB, name string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if program, is := built.programs[name]; is {
		return program
	}
	dir, err := os.MkdirTemp("", "bellglass-program-")
	if err != nil {
		t.Fatal(err)
	}
	whole := path.Join("github.com/bellglass/bellglass", name)
	program := filepath.Join(dir, path.Base(whole))
	if out, err := exec.Command("go", "build", "-o", program, whole).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", whole, err, out)
	}
	if built.programs == nil {
		built.programs = map[string]string{}
	}
	built.programs[name] = program
	return program
}

// Result is the result of a finished run.
type Result struct {
	Status         int
	Stdout, Stderr string
}

// Run runs the program with the arguments until it ends.
func Run(t testing.TB, args ...string) Result {
	t.Helper()
	return RunOn(t, "", args...)
}

// RunOn is Run with text on standard input.
func RunOn(t testing.TB, stdin string, args ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, Build(t), args...)
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("running bellglass %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return Result{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// A Running program.
type Running struct {
	mu      sync.Mutex
	stdout  strings.Builder
	written chan struct{} // closed by the next write
	ended   chan struct{}
	command *exec.Cmd
	failure error // how it ended
	stderr  bytes.Buffer
}

// Start starts the program. When the test ends, the program gets a signal and must exit
// with status 0. State that it keeps for its next run is kept for this test binary
// only.
func Start(t testing.TB, args ...string) *Running {
	t.Helper()
	r := &Running{written: make(chan struct{}), ended: make(chan struct{}), command: exec.Command(Build(t), args...)}
	r.command.Stdout, r.command.Stderr = r, &r.stderr
	r.command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(filepath.Dir(Build(t)), "state"))
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		r.failure = r.command.Wait()
		close(r.ended)
	}()
	t.Cleanup(func() { r.End(t) })
	return r
}

// End signals the program to end, and waits for it.
func (r *Running) End(t testing.TB) {
	t.Helper()
	// An error means that it has ended already. The next lines report that.
	_ = r.command.Process.Signal(syscall.SIGTERM)
	name := strings.Join(r.command.Args, " ")
	select {
	case <-r.ended:
	case <-time.After(patience):
		_ = r.command.Process.Kill()
		t.Errorf("%s does not end after the signal", name)
		<-r.ended
	}
	if r.failure != nil || t.Failed() {
		t.Errorf("%s ended with %v; its standard error:\n%s", name, r.failure, r.stderr.String())
	}
}

// Write receives the program's standard output.
func (r *Running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.written)
	r.written = make(chan struct{})
	return r.stdout.Write(b)
}

// WaitOutput waits until the standard output contains the text, and returns the output.
func (r *Running) WaitOutput(t testing.TB, text string) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		r.mu.Lock()
		out, written := r.stdout.String(), r.written
		r.mu.Unlock()
		if strings.Contains(out, text) {
			return out
		}
		select {
		case <-written:
		case <-r.ended:
			t.Fatalf("the program ended before it printed %q; its standard error:\n%s", text, r.stderr.String())
		case <-deadline:
			t.Fatalf("the program did not print %q; it printed:\n%s", text, out)
		}
	}
}
