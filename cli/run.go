package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bellglass/bellglass/internal/version"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

type runCommand struct {
	Path string `arg:"" help:"JavaScript or TypeScript module to run, a folder with one named main (main.mjs, main.ts, …), or - for standard input."`

	Args        string        `help:"JSON value to call the module's default export with." placeholder:"JSON"`
	Rules       string        `help:"Policy file. Default: block everything." placeholder:"FILE"`
	Timeout     time.Duration `help:"How long the code may take." default:"10s" placeholder:"TIME"`
	FailOnBlock bool          `help:"Exit with status 3 if a request was blocked."`
	Browser     string        `help:"Chromium-like browser to run it in. Also $BELLGLASS_CHROMIUM. Default: the first one found." env:"BELLGLASS_BROWSER,BELLGLASS_CHROMIUM" placeholder:"PROGRAM"`
	JSON        bool          `help:"Print the outcome as one JSON document."`

	folderFlags `group:"folder"`
}

// Help returns the text that run --help prints before the flags.
func (*runCommand) Help() string {
	return `The code runs once, under glass, in a browser without a window. If the module's default export is a function, it is called, and its return value is the result. Otherwise the export itself is the result. The result is printed as JSON. The console goes to standard error as it comes. See docs/execute.md.

Exit status:

    0  there is a result
    1  the code threw or gave no result
    2  the code could not be run
    3  a request was blocked, and --fail-on-block is set
  124  the code took too long`
}

// Exit statuses that only run has.
const (
	exitBlocked = 3
	exitTimeout = 124 // as timeout(1) does
)

// notBegun are the failures that are not the code's own.
var notBegun = []protocol.FailureCode{protocol.FailureNoView, protocol.FailureViewFailed, protocol.FailureViewClosed, protocol.FailureRemoved}

func notRun(o *server.Outcome) bool {
	return o.Error != nil && slices.Contains(notBegun, o.Error.Code)
}

// A runError ends run with an exit status of its own.
type runError struct {
	error
	code int
}

func (e runError) status() int   { return e.code }
func (e runError) Unwrap() error { return e.error }

// startLimit is how long the browser may take to be ready for code.
const startLimit = time.Minute

// longestRun is the greatest --timeout.
const longestRun = time.Hour

// Run runs the code and prints its result. It fails if the code returns no result.
func (c *runCommand) Run(std streams) error {
	ctx, stop := untilTold()
	defer stop()
	outcome, log, err := c.execute(ctx, std)
	if err != nil {
		return runError{err, exitUsage}
	}
	if err := c.print(std.out, outcome); err != nil {
		return err
	}
	failure, blocks := outcome.Error, log.blocks()
	switch {
	case notRun(outcome):
		return runError{fmt.Errorf("%s could not be run: %s", c.Path, failure.Message), exitUsage}
	case failure != nil && failure.Code == protocol.FailureTimeout:
		return runError{fmt.Errorf("%s took longer than %s", c.Path, c.Timeout), exitTimeout}
	case c.FailOnBlock && blocks != nil:
		return runError{blocks, exitBlocked}
	case failure != nil:
		text := failure.Stack
		if !strings.Contains(text, failure.Message) || text == "" {
			text = strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", failure.Name, failure.Message, failure.Stack))
		}
		return runError{fmt.Errorf("%s: %s", failure.Code, strings.TrimPrefix(text, ": ")), exitProblem}
	}
	return nil
}

// execute serves until a browser has run the code.
func (c *runCommand) execute(ctx context.Context, std streams) (outcome *server.Outcome, log *runLog, err error) {
	// Check now what would otherwise fail only once there is a browser.
	if c.Timeout <= 0 || c.Timeout > longestRun {
		return nil, nil, fmt.Errorf("--timeout is %s; it must be positive and at most %s", c.Timeout, longestRun)
	}
	if c.Args != "" && !json.Valid([]byte(c.Args)) {
		return nil, nil, errors.New("--args is not one JSON value")
	}
	browser, err := findBrowser(c.Browser)
	if err != nil {
		return nil, nil, err
	}
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer listeners.Close() // Serve closes them; this is for failures before that
	srv, err := server.New(server.Config{
		PublicURL: listeners.URL(), Version: version.Of(), Log: failures(std.log),
		// The only sandbox is bounded by the limits of its folder.
		Limits: server.Limits{Limits: server.SandboxLimits{ExecutionTime: longestRun, StoreBytes: math.MaxInt64}},
	})
	if err != nil {
		return nil, nil, err
	}
	source, main, err := c.open(std.in, srv.Store(), std.log)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	// The view shows the module as text, so that no other code runs.
	sandbox, err := srv.Create(server.Spec{Name: c.Path, Files: source.files, Packages: source.packages, Policy: source.policy, Entry: main, Keep: true})
	if err != nil {
		return nil, nil, err
	}
	printDiagnostics(std.err, sandbox.Diagnostics())
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- srv.Serve(serving, listeners) }()
	defer func() {
		stop()
		err = errors.Join(err, <-served)
	}()

	ctx, cancel := context.WithCancelCause(ctx)
	started, err := startHeadless(ctx, std.log, browser, sandbox.HostURL())
	if err != nil {
		cancel(nil)
		return nil, nil, err
	}
	defer started.wait()
	defer cancel(nil)
	go func() {
		select {
		case err := <-started.done:
			cancel(fmt.Errorf("the browser ended before the code did: %w", err))
		case <-ctx.Done():
		}
	}()
	log = followRun(context.WithoutCancel(ctx), sandbox, std.err)
	outcome, err = c.runIn(ctx, std, sandbox, main)
	var missing error
	if err == nil && !notRun(outcome) {
		missing = settle(ctx, sandbox)
	}
	srv.Remove(sandbox.ID()) // removing it ends its log
	log.wait(missing)
	return outcome, log, err
}

// runIn runs the code once the browser has shown that it can run code.
func (c *runCommand) runIn(ctx context.Context, std streams, sandbox *server.Sandbox, main string) (*server.Outcome, error) {
	p := newProgress(std.err)
	p.say("Starting the browser…")
	first, err := sandbox.Execute(ctx, server.Execution{Code: "export default 1", Timeout: startLimit})
	p.end()
	if err != nil {
		return nil, err
	}
	if first.Error != nil {
		return nil, fmt.Errorf("the browser does not run code: %s", first.Error.Message)
	}
	name, err := json.Marshal(vfs.URLPath(main))
	if err != nil {
		return nil, err
	}
	return sandbox.Execute(ctx, server.Execution{
		// The module need not have a default export.
		Code: fmt.Sprintf("import * as main from %s\nexport default main.default\n", name),
		Args: json.RawMessage(c.Args), Timeout: c.Timeout,
	})
}

// settleLimit is how long the service worker may take to send its last verdicts.
const settleLimit = 30 * time.Second

// settle waits until the server has every verdict of the service worker. The code of
// the run can end before that, so its end proves nothing.
func settle(ctx context.Context, sandbox *server.Sandbox) error {
	last, err := sandbox.Execute(ctx, server.Execution{
		Code:    fmt.Sprintf("export default (await fetch(new URL(%q, import.meta.url))).status", protocol.ExecutionSettle),
		Timeout: settleLimit,
	})
	switch {
	case err != nil:
		return err
	case last.Error != nil:
		return fmt.Errorf("the browser stopped running code: %s", last.Error.Message)
	case string(last.Result) != "204":
		return errors.New("the service worker could not send its last verdicts")
	}
	return nil
}

func (c *runCommand) print(w io.Writer, o *server.Outcome) error {
	switch {
	case c.JSON:
		return printJSON(w, o)
	case o.Error != nil || o.Types[""] == "undefined":
		return nil
	}
	_, err := fmt.Fprintf(w, "%s\n", safeJSON(o.Result))
	return err
}

// open reads the code and its policy. It returns the path of the module.
func (c *runCommand) open(in io.Reader, store *vfs.Store, log *slog.Logger) (*source, string, error) {
	if info, err := os.Stat(c.Path); c.Path != "-" && err == nil && info.IsDir() {
		s, err := openSource(c.Path, c.Rules, store, c.folderFlags)
		if err != nil {
			return nil, "", err
		}
		s.left.tell(s.files, func(err error) { log.Warn("left out of the sandbox", "error", err) })
		for _, extension := range moduleExtensions {
			if _, found := s.files.Lookup("/main" + extension); found {
				return s, "/main" + extension, nil
			}
		}
		return nil, "", errors.Join(fmt.Errorf("%s has no module named main (%s); to show a page, use bellglass serve", c.Path, strings.Join(moduleExtensions, ", ")), s.close())
	}
	s := &source{store: store}
	if err := s.readPolicy(c.Rules); err != nil {
		return nil, "", err
	}
	text, main, err := c.read(in)
	if err != nil {
		return nil, "", err
	}
	s.files, err = store.Snapshot(map[string][]byte{main: text}, vfs.DefaultLimits())
	return s, main, err
}

// moduleExtensions are those of the modules that run accepts.
var moduleExtensions = []string{".mjs", ".js", ".mts", ".ts", ".tsx", ".jsx"}

func (c *runCommand) read(in io.Reader) (text []byte, main string, err error) {
	if c.Path == "-" {
		text, err = io.ReadAll(in)
		return text, "/stdin.mjs", err
	}
	main = "/" + filepath.Base(c.Path)
	if !slices.Contains(moduleExtensions, path.Ext(main)) {
		return nil, "", fmt.Errorf("%s is not a module; name a file that ends with one of %s, or a folder with such a file named main", c.Path, strings.Join(moduleExtensions, ", "))
	}
	text, err = os.ReadFile(c.Path)
	return text, main, err
}

// browsers are the names of Chromium-like browsers on most machines.
var browsers = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "brave-browser",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
}

func findBrowser(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no Chromium-like browser was found; name one with --browser PROGRAM, or in BELLGLASS_CHROMIUM")
}
