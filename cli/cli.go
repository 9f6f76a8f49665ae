// Package cli is the command line. It reads settings, starts the other parts, prints
// results for people and scripts, and turns errors into exit statuses.
//
// # Files
//
//   - cli.go: [Main], the flags of all commands, exit statuses.
//   - settings.go: the settings file.
//   - serve.go: the command serve.
//   - source.go: a folder, a policy file, or the example as a sandbox's source, which
//     it watches.
//   - folder.go: the flags of commands that read a folder.
//   - example.go: the embedded example, and the server that it may reach.
//   - keptid.go: the id of a folder's sandbox, which the next serve reuses.
//   - originkey.go: the key for the lasting origins of MCP Apps.
//   - statefile.go: files that only this user can read, for both.
//   - policy.go: a policy file with its includes, read and watched.
//   - rules.go: the commands below rules, and what they share.
//   - run.go, runlog.go: the command run.
//   - add.go: the command add.
//   - signals.go, watchdog_unix.go: what ends a command and its browser.
//   - terminal.go: makes untrusted text safe for a terminal.
//   - doctor.go, headless.go, diagnosis.go: the self-test, its browser, and its output.
//   - deployment.go: doctor with a public URL; package deployment makes its checks.
//   - check.go, runtests.go, csp.go, explain.go, starter.go: one command of rules each.
//
// # Invariants
//
// Standard output carries only results, one per line, stable for scripts and without
// color; with --json it is one document. Logs, progress, and errors go to standard
// error. Every flag except --help and --version is also an environment variable
// (BELLGLASS_ and its name in upper case) and a key of the YAML file that --config names,
// both with _ for -. A flag overrides the environment, and the environment the file. A
// file with anything else is rejected.
package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"github.com/bellglass/bellglass/internal/version"
	"github.com/bellglass/bellglass/rules"
)

// Exit statuses.
const (
	exitOK      = 0
	exitProblem = 1 // the command was understood and failed
	exitUsage   = 2 // the command was not understood
)

type commands struct {
	Config    settingsFile     `group:"settings" help:"YAML file with settings." placeholder:"FILE"`
	LogLevel  slog.Level       `group:"settings" help:"Least severe log lines to print: debug, info, warn or error." default:"info" placeholder:"LEVEL"`
	LogFormat string           `group:"settings" help:"Format of log lines: text or json." enum:"text,json" default:"text" placeholder:"FORMAT"`
	Version   kong.VersionFlag `help:"Print the version and exit." env:"-"`

	Serve serve         `cmd:"" help:"Run a folder under glass, and serve it with a host page that shows it."`
	Run   runCommand    `cmd:"" help:"Run a JavaScript module under glass, without a window, and print its result."`
	Add   addCommand    `cmd:"" help:"Add npm packages to a folder, so that its code can import them."`
	Rules rulesCommands `cmd:"" help:"Check, test, and explain a policy."`

	Doctor doctor `cmd:"" help:"Check that sandboxes hold in a browser on this machine. With --public-url, check a server's public address."`
}

// flagGroups are the headings of the help. Flags without a group come first.
var flagGroups = []kong.Group{
	{Key: "settings", Title: "Settings and log:", Description: "Every flag is also a key of the settings file, with _ for -, and an environment variable, such as $BELLGLASS_LOG_LEVEL. A flag overrides the environment, and the environment the file."},
	{Key: "folder", Title: "Files of the folder:"},
	{Key: "address", Title: "Addresses and TLS:"},
	{Key: "access", Title: "Access:"},
	{Key: "apps", Title: "MCP Apps and BTCP tools:"},
	{Key: "operation", Title: "Operation and limits:"},
	{Key: "browser", Title: "Browser:"},
	{Key: "public", Title: "Check of a public address, without a browser:"},
}

// flagHelp adds the default that kong leaves out where a flag has a placeholder. It does not
// repeat the name of each environment variable: flagGroups has the rule.
func flagHelp(v *kong.Value) string {
	if v.Flag == nil || v.Flag.PlaceHolder == "" || v.Default == "" {
		return v.Help
	}
	return v.Help + " Default: " + v.Default + "."
}

// streams is where a command reads from and writes to.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
}

// Main runs the command line and returns the exit status: 0, 1 for a problem, 2
// for a command line that was not understood.
func Main(args []string, out, stderr io.Writer) int {
	return start(args, os.Stdin, out, stderr)
}

func start(args []string, in io.Reader, out, stderr io.Writer) int {
	var c commands
	status, exited := exitOK, false
	parser, err := kong.New(&c,
		kong.Name("bellglass"),
		kong.Description("Runs untrusted web code in a browser, under glass: a log shows what it does, and nothing gets out unless a rule says so."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ExplicitGroups(flagGroups),
		kong.ValueFormatter(flagHelp),
		kong.Writers(out, stderr),
		kong.DefaultEnvars("BELLGLASS"),
		kong.Vars{"version": version.Of()},
		kong.Exit(func(code int) { status, exited = code, true }),
	)
	if err != nil {
		panic(err) // the grammar above is invalid
	}
	parser.Model.HelpFlag.Help = "Print this help and exit."
	command, err := parser.Parse(args)
	if exited { // --help or --version
		return status
	}
	if err != nil {
		fmt.Fprintf(stderr, "bellglass: %s\nRun bellglass --help for the commands and flags.\n", printable(err.Error()))
		return exitUsage
	}
	std := streams{in: in, out: out, err: stderr, log: slog.New(c.logHandler(stderr))}
	if err := command.Run(std); err != nil {
		own, ends := errors.AsType[interface {
			error
			status() int
		}](err)
		if mistakes, ok := errors.AsType[rules.Errors](err); ok {
			fmt.Fprintln(stderr, printable(mistakes.Pretty()))
			err = refused(mistakes)
		}
		fmt.Fprintf(stderr, "bellglass: %s\n", message(err.Error()))
		if ends {
			return own.status()
		}
		return exitProblem
	}
	return exitOK
}

func (c *commands) logHandler(stderr io.Writer) slog.Handler {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.NewJSONHandler(jsonWriter{stderr}, options)
	}
	return slog.NewTextHandler(stderr, options)
}
