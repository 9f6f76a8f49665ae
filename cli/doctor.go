package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"runtime"

	"time"

	"github.com/pkg/browser"

	"github.com/bellglass/bellglass/internal/version"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/server"
)

type doctor struct {
	Addr    string `group:"browser" help:"Loopback address to listen on." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	Browser string `group:"browser" help:"Chromium-like browser to test, without a window and with a new profile. Also $BELLGLASS_CHROMIUM. Default: the desktop's browser or, without a desktop, the first one found." env:"BELLGLASS_BROWSER,BELLGLASS_CHROMIUM" placeholder:"PROGRAM"`
	Open    bool   `group:"browser" help:"Open a browser. With --no-open, print the test's address and wait." default:"true" negatable:""`

	AllowKnown bool `group:"browser" help:"Exit with status 0 even if something got out that is known to get out in this browser's engine."`

	deploymentFlags

	Timeout time.Duration  `help:"How long to wait for the result." default:"5m" placeholder:"TIME"`
	Only    *regexp.Regexp `group:"browser" help:"Try only the techniques whose name, FAMILY/NAME, matches." placeholder:"REGEXP"`
	JSON    bool           `help:"Print the result as one JSON document."`
}

// Help returns the text that doctor --help prints before the flags.
func (*doctor) Help() string {
	return `Hostile code runs in a browser, in sandboxes and on a plain page. A canary on this machine records what gets out. docs/selftest.md explains the table and the limits of the test.

With --public-url nothing runs in a browser. doctor asks a server at its public address, as any program can, and says what is wrong and what to do.

Exit status:

  0  everything was contained, or the address has no problem
  1  something got out unexpectedly, or the address has a problem
  3  the test gave no result
  4  only known escapes succeeded, and --allow-known is not set`
}

// Exit statuses that only doctor has.
const (
	exitUnmeasured = 3 // there is no reliable result
	exitKnownOpen  = 4 // only what is known to be open got out
)

// An unmeasured is an error that leaves no result.
type unmeasured struct{ error }

func (unmeasured) status() int     { return exitUnmeasured }
func (u unmeasured) Unwrap() error { return u.error }

// Run runs the self-test. It fails if something got out or nothing could be measured.
// With a public URL it checks that server instead.
func (c *doctor) Run(std streams) error {
	ctx, stop := untilTold()
	defer stop()
	if c.PublicURL != "" {
		return c.checkDeployment(ctx, std)
	}
	view, err := c.measure(ctx, std)
	if err != nil {
		return unmeasured{err}
	}
	if err := c.print(std.out, view); err != nil {
		return err
	}
	return c.conclude(view.Verdict)
}

// conclude turns a verdict into an error with its exit status.
func (c *doctor) conclude(verdict selftest.Verdict) error {
	switch verdict {
	case selftest.VerdictContained:
		return nil
	case selftest.VerdictKnownOpen:
		if c.AllowKnown {
			return nil
		}
		return runError{errors.New("only what is known to get out of this browser's engine got out; --allow-known accepts that"), exitKnownOpen}
	case selftest.VerdictEscaped:
		return errors.New("something got out from under glass")
	}
	return unmeasured{errors.New("containment could not be measured")}
}

// measure serves until a browser has run the test.
func (c *doctor) measure(ctx context.Context, std streams) (view *selftest.View, err error) {
	listeners, err := server.Listen(c.Addr)
	if err != nil {
		return nil, err
	}
	defer listeners.Close() // Serve closes them; this is for failures before that
	if !listeners.Loopback() {
		return nil, fmt.Errorf("%s is not a loopback address; the browser that is tested must be on this machine", c.Addr)
	}
	srv, err := server.New(server.Config{PublicURL: listeners.URL(), SelfTest: true, Version: version.Of(), Log: failures(std.log)})
	if err != nil {
		return nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- srv.Serve(serving, listeners) }()
	defer func() {
		srv.SelfTest().Close()
		stop()
		err = errors.Join(err, <-served)
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("there was no result within %s", c.Timeout))
	defer cancel()
	// ctx ends the test in time, so the run itself need not.
	const never = 24 * time.Hour
	run, err := srv.SelfTest().Start(selftest.Options{Wait: never, Limit: never, Only: c.Only})
	if err != nil {
		return nil, err
	}
	url := srv.PublicURL() + run.Path()
	browserEnded, err := c.show(ctx, std, url)
	if err != nil {
		return nil, err
	}
	defer browserEnded.wait()
	defer cancel()
	return c.await(ctx, std, run, browserEnded.done)
}

// failures returns a log without the messages that hostile code always causes.
func failures(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(onlyErrors{log.Handler()})
}

type onlyErrors struct{ slog.Handler }

func (h onlyErrors) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError
}
func (h onlyErrors) WithAttrs(attrs []slog.Attr) slog.Handler {
	return onlyErrors{h.Handler.WithAttrs(attrs)}
}
func (h onlyErrors) WithGroup(name string) slog.Handler { return onlyErrors{h.Handler.WithGroup(name)} }

// await follows the run to its end.
func (c *doctor) await(ctx context.Context, std streams, run *selftest.Run, browserEnded <-chan error) (*selftest.View, error) {
	p := newProgress(std.err)
	defer p.end()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-run.Done():
			return run.Report().View(), nil
		case <-tick.C:
			p.show(run.Progress())
		case err := <-browserEnded:
			// The test may have finished just before the browser ended.
			select {
			case <-run.Done():
				return run.Report().View(), nil
			default:
				return nil, fmt.Errorf("the browser ended before the test did: %w", err)
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// A started is a browser that was started. done receives its end; wait returns after
// it.
type started struct {
	done <-chan error
	wait func()
}

// show opens the address in a browser, or asks the user to.
func (c *doctor) show(ctx context.Context, std streams, url string) (started, error) {
	never := started{make(chan error), func() {}}
	switch {
	case !c.Open:
		fmt.Fprintf(std.err, "Open this address in the browser to test, and leave its tab in front:\n%s\n", url)
	case c.Browser != "" || !hasDesktop():
		program, err := findBrowser(c.Browser)
		if err != nil {
			return never, err
		}
		return startHeadless(ctx, std.log, program, url)
	default:
		fmt.Fprintf(std.err, "Opening %s in your browser.\n", url)
		// The output of a browser's launcher does not belong in ours.
		browser.Stdout, browser.Stderr = io.Discard, io.Discard
		if err := browser.OpenURL(url); err != nil {
			return never, fmt.Errorf("no browser could be opened; try --browser PROGRAM, or --no-open: %w", err)
		}
	}
	return never, nil
}

// hasDesktop reports whether a browser can show a window. Only X and Wayland tell.
func hasDesktop() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
