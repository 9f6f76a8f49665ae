package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"
)

// headlessFlags start a Chromium-like browser for one page, without a window and
// without the questions and downloads of a first start.
var headlessFlags = []string{
	"--headless=new", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--window-size=1280,900",
	// The list below the address bar is an internal page (156), which each new window
	// loads. With it, a one-line run takes a quarter longer on two cores.
	"--disable-features=WebUIOmniboxAimPopup,WebUIOmniboxPopup",
}

// startHeadless starts a Chromium-like browser with a new profile, which is removed by
// the time wait returns. The browser ends with ctx and with this program.
func startHeadless(ctx context.Context, log *slog.Logger, program, url string) (started, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return started{}, fmt.Errorf("the browser cannot be run: %w", err)
	}
	profile, err := os.MkdirTemp("", "bellglass-browser-")
	if err != nil {
		return started{}, fmt.Errorf("making a profile for the browser: %w", err)
	}
	args := append([]string{"--user-data-dir=" + profile}, headlessFlags...)
	if os.Geteuid() == 0 {
		// Chromium refuses to run as root with its own sandbox, which is not ours.
		log.Warn("running the browser without its own process sandbox, because you are root; it opens only a page of this machine")
		args = append(args, "--no-sandbox")
	}
	watchdog, err := startWatchdog(profile)
	if err != nil {
		return started{}, errors.Join(fmt.Errorf("starting the browser's watchdog: %w", err), os.RemoveAll(profile))
	}
	cmd := exec.CommandContext(ctx, path, append(args, url)...)
	apart(cmd)
	var said bytes.Buffer
	cmd.Stderr = &tail{buffer: &said, limit: 4 << 10}
	// A browser that is asked to exit takes its own processes along.
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		return started{}, errors.Join(fmt.Errorf("starting the browser: %w", err), os.RemoveAll(profile), watchdog.end())
	}
	if err := watchdog.guard(cmd); err != nil {
		log.Warn("the browser may outlive this program", "error", err)
	}
	done, gone := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(gone)
		err := cmd.Wait()
		if ctx.Err() == nil {
			done <- fmt.Errorf("%s: %v\n%s", path, cmd.ProcessState, bytes.TrimSpace(said.Bytes()))
		} else if err != nil {
			log.Debug("the browser was killed", "error", err)
		}
		if err := os.RemoveAll(profile); err != nil {
			log.Warn("the browser's profile could not be removed", "folder", profile, "error", err)
		}
		if err := watchdog.end(); err != nil {
			log.Debug("the browser's watchdog failed", "error", err)
		}
	}()
	return started{done, func() { <-gone }}, nil
}

// A tail keeps the last bytes that are written to it.
type tail struct {
	buffer *bytes.Buffer
	limit  int
}

func (t *tail) Write(b []byte) (int, error) {
	t.buffer.Write(b)
	if over := t.buffer.Len() - t.limit; over > 0 {
		t.buffer.Next(over)
	}
	return len(b), nil
}
