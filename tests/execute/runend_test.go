package execute

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/browser"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/command"
)

// However the run command ends, its browser ends and its profile is deleted.
func TestRunLeavesNothing(t *testing.T) {
	t.Parallel()
	program, err := installed.Find()
	if err != nil {
		t.Fatal(err)
	}
	endless := filepath.Join(t.TempDir(), "endless.mjs")
	if err := os.WriteFile(endless, []byte("console.warn('begun')\nfor (;;) {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, sent := range map[string]syscall.Signal{"SIGKILL": syscall.SIGKILL, "SIGHUP": syscall.SIGHUP, "SIGQUIT": syscall.SIGQUIT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The paths of a browser's sockets must be short.
			temporary, err := os.MkdirTemp("", "bg")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(temporary)
			run := exec.Command(command.Build(t), "run", "--browser", program, "--timeout", "10m", endless)
			run.Env = append(os.Environ(), "TMPDIR="+temporary)
			stderr, err := run.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(stderr)
			for lines.Scan() && !strings.Contains(lines.Text(), "begun") {
				t.Log(lines.Text())
			}
			if len(using(t, temporary)) == 0 {
				t.Error("no browser has its profile there while it runs")
			}
			if err := run.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, stderr)
			_ = run.Wait() // ending by a signal is an error
			// Nothing reports the end of a process that is not a child of this one.
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			deadline := time.After(browser.Patience)
			for {
				processes := using(t, temporary)
				left, err := filepath.Glob(filepath.Join(temporary, "bellglass-*"))
				if err != nil {
					t.Fatal(err)
				}
				if len(processes)+len(left) == 0 {
					return
				}
				select {
				case <-tick.C:
				case <-deadline:
					t.Fatalf("left are the processes %q and the folders %q", processes, left)
				}
			}
		})
	}
}

// using returns the command lines that contain the folder.
func using(t *testing.T, folder string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(line), folder) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
