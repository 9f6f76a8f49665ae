package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// family runs a shell that starts another program and waits for it. The file reaches
// its end when both have ended.
func family(t *testing.T) (*Process, *os.File) {
	t.Helper()
	held, holder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	cmd := exec.Command("/bin/sh", "-c", `sleep 1000 & echo "child $!"; wait`)
	cmd.ExtraFiles = []*os.File{holder}
	p, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	if match, err := p.Await(t.Context(), regexp.MustCompile(`child (\d+)\n`)); err != nil || len(match) != 2 {
		t.Fatalf("%q, %v", match, err)
	}
	return p, held
}

func wantGone(t *testing.T, held *os.File) {
	t.Helper()
	if err := held.SetReadDeadline(time.Now().Add(2 * grace)); err != nil {
		t.Fatal(err)
	}
	if _, err := held.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Fatalf("somebody lives: %v", err)
	}
}

func TestStopEndsAll(t *testing.T) {
	p, held := family(t)
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	wantGone(t, held)
	if err := p.Stop(); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

// A process that has left the group cannot be ended, and is reported.
func TestStopTellsOfDeserters(t *testing.T) {
	p, err := start(exec.Command("/bin/sh", "-c", `setsid sh -c 'echo "child $$"; exec sleep 1000' & wait`), 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	match, err := p.Await(t.Context(), regexp.MustCompile(`child (\d+)\n`))
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(match[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err == nil || !strings.Contains(err.Error(), "something that it started has not") {
		t.Errorf("got %v", err)
	}
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Errorf("ending the child: %v", err)
	}
	<-p.silent
}

// When the test binary is killed, the system closes its end of the pipe.
func TestGuard(t *testing.T) {
	p, held := family(t)
	if err := p.pipe.Close(); err != nil {
		t.Fatal(err)
	}
	wantGone(t, held)
	if err := p.Failure(); !strings.Contains(err.Error(), "terminated") {
		t.Error(err)
	}
}

func TestAwait(t *testing.T) {
	p, err := Start(exec.Command("/bin/sh", "-c", "echo no display >&2; exit 3"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	if _, err := p.Await(t.Context(), regexp.MustCompile("ready")); err == nil ||
		!strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "no display") {
		t.Errorf("of one that ended: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	living, _ := family(t)
	if _, err := living.Await(ctx, regexp.MustCompile("ready")); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "child") {
		t.Errorf("of one that says something else: %v", err)
	}
}

func TestStartOfNothing(t *testing.T) {
	if p, err := Start(exec.Command("/nonexistent")); err == nil {
		t.Errorf("started %v", p)
	}
}
