// Package process runs a program for a test and ends it with everything that it
// started, whatever happens to the test. A browser consists of many processes, some of
// which outlive the one that was started.
//
// [Start] starts a program, [Process.Await] reads its output, [Process.Stop] ends it.
//
// # How nothing is left
//
// The program leads a process group. A shell in the same group reads a pipe that nobody
// writes to. When the test binary is gone, even if it was killed, the pipe closes and
// the shell ends the group. Standard output and standard error are one pipe, too. Only
// when its last holder has ended is everything over, and only then does Stop return.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"
)

// grace is how long a program may take to end when asked to, and how long its
// descendants may live on.
const grace = 10 * time.Second

// guard asks the group to end, and then kills it.
const guard = `trap '' TERM; read -r _; kill -TERM 0; sleep 5; kill -KILL 0`

// A Process is a running program and what it started.
type Process struct {
	name   string
	group  int
	grace  time.Duration
	output output
	silent chan struct{} // closed when no process holds the output any longer
	guard  *exec.Cmd
	pipe   io.Closer     // closing it ends the group
	ended  chan struct{} // closed when the program has ended and its output has been read
	err    error         // set before ended is closed
	stop   sync.Once
	left   error // what Stop found
}

// Start starts the command, whose output must not be set.
func Start(cmd *exec.Cmd) (*Process, error) { return start(cmd, grace) }

func start(cmd *exec.Cmd, grace time.Duration) (*Process, error) {
	p := &Process{name: filepath.Base(cmd.Path), grace: grace, silent: make(chan struct{}), ended: make(chan struct{})}
	p.output.written = make(chan struct{})
	// Use our own pipe, because Wait of package exec does not tell who holds it.
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = writer, writer
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	_ = writer.Close() // the program has it now
	if err != nil {
		_ = reader.Close()
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	p.group = cmd.Process.Pid
	guarded := p.startGuard()
	go func() {
		_, _ = io.Copy(&p.output, reader) // any error ends the output
		_ = reader.Close()
		close(p.silent)
	}()
	// Only once the guard has joined: a group whose leader was waited for is gone.
	go func() {
		p.err = cmd.Wait()
		p.isSilent()
		close(p.ended)
	}()
	if guarded != nil {
		return nil, errors.Join(fmt.Errorf("guarding %s: %w", p.name, guarded), p.Stop())
	}
	return p, nil
}

// isSilent reports whether all holders of the output have ended, or end soon.
func (p *Process) isSilent() bool {
	select {
	case <-p.silent:
		return true
	case <-time.After(p.grace):
		return false
	}
}

func (p *Process) startGuard() error {
	cmd := exec.Command("/bin/sh", "-c", guard)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: p.group}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.guard, p.pipe = cmd, pipe
	return nil
}

// Await waits until the output matches the pattern, and returns the submatches. It
// fails if the program or ctx ends first.
func (p *Process) Await(ctx context.Context, pattern *regexp.Regexp) ([]string, error) {
	for {
		text, written := p.output.read()
		if match := pattern.FindStringSubmatch(text); match != nil {
			return match, nil
		}
		select {
		case <-written:
		case <-p.ended:
			return nil, p.Failure()
		case <-ctx.Done():
			return nil, fmt.Errorf("%s did not say %q: %w; it said:\n%s", p.name, pattern, ctx.Err(), text)
		}
	}
}

// Ended is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output returns what the program has printed so far, on standard output and standard error.
func (p *Process) Output() string {
	text, _ := p.output.read()
	return text
}

// Failure says how the program ended, and what it printed.
func (p *Process) Failure() error {
	<-p.ended
	text, _ := p.output.read()
	return fmt.Errorf("%s ended (%v) when it should not; it said:\n%s", p.name, p.err, text)
}

// Stop ends the program and everything that it started, and waits for that.
func (p *Process) Stop() error {
	p.stop.Do(p.end)
	return p.left
}

func (p *Process) end() {
	// Ask first: Xvfb leaves its lock behind when it is killed.
	p.signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(p.grace):
	}
	p.signal(syscall.SIGKILL)
	<-p.ended
	if p.guard != nil {
		// It was killed; the error says nothing more.
		_ = p.pipe.Close()
		_ = p.guard.Wait()
	}
	if !p.isSilent() {
		p.left = fmt.Errorf("%s has ended, but something that it started has not", p.name)
	}
}

// signal cannot reach another group: until the guard has been waited for, no other
// group can have the number.
func (p *Process) signal(s syscall.Signal) {
	_ = syscall.Kill(-p.group, s) // an error means that nothing is left
}
