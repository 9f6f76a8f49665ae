// Command mcp-host is a small MCP host. It starts an MCP server, shows the server's
// tools on a page, and runs the apps of these tools under glass. Each view has its own
// origin, and a policy made from the app's declaration.
//
//	go run ./examples/mcp-host            # and open the address that it prints
//	go run ./examples/mcp-host -- npx -y @modelcontextprotocol/server-budget-allocator --stdio
//
// The first command uses the server that comes with this example, the second another
// one. You take the part of the model: you choose the tool and its arguments.
//
//   - main.go: the settings, and Bellglass beside the page.
//   - listen.go: a loopback port for each of them.
//   - session.go: the MCP server, through the official Go SDK.
//   - apps.go: which tools have an app, and what it is.
//   - host.go: connects the page to both.
//   - view.js: the messages between host and app.
//   - host.js, host.html, host.css: the page.
//   - palette: an MCP server with an app.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellglass/bellglass/examples/mcp-host/palette"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
)

const usage = `mcp-host shows the tools of an MCP server, and runs their apps under glass.

Usage: mcp-host [flags] [--] [command [argument...]]

The command is an MCP server that speaks over standard input and output:

  mcp-host -- npx -y @modelcontextprotocol/server-budget-allocator --stdio

Without a command, mcp-host starts a server of its own, which makes color palettes.
Other hosts can start that one, too: mcp-host palette-server

Flags:
`

// paletteServer is the command that runs this program's own MCP server.
const paletteServer = "palette-server"

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	addr := flag.String("addr", "127.0.0.1:8080", "the loopback `address` of the page; port 0 chooses a free one")
	sandboxAddr := flag.String("sandbox-addr", "127.0.0.1:0", "the loopback `address` of the sandboxes; port 0 chooses a free one")
	flag.Parse()
	var err error
	if flag.Arg(0) == paletteServer {
		err = palette.NewServer().Run(context.Background(), &mcp.StdioTransport{})
	} else {
		err = runUntilSignal(*addr, *sandboxAddr, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcp-host:", err)
		os.Exit(1)
	}
}

func runUntilSignal(addr, sandboxAddr string, command []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, addr, sandboxAddr, command)
	if ctx.Err() != nil {
		return nil // Ctrl-C in a terminal also reaches the MCP server. That it ends then is not a failure.
	}
	return err
}

func run(ctx context.Context, addr, sandboxAddr string, command []string) error {
	pages, err := listen("addr", addr)
	if err != nil {
		return err
	}
	defer pages.Close()
	sandboxes, err := listen("sandbox-addr", sandboxAddr)
	if err != nil {
		return err
	}
	defer sandboxes.Close()
	origin := pages.URL()

	// Bellglass is a handler of this program. It knows which page may show its sandboxes.
	glass, err := server.New(server.Config{
		PublicURL: sandboxes.URL(),
		Embedders: []string{origin},
		MCPApps:   &mcpapps.Options{},
		Log:       slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	defer glass.Close()
	session, err := connect(ctx, command)
	if err != nil {
		return err
	}
	host, err := newHost(session, glass.ProxyURL(), pages.Port())
	if err != nil {
		return errors.Join(err, session.Close())
	}
	fmt.Println(origin + "/")

	// Whichever ends first ends the others.
	ctx, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 3)
	go func() { ended <- glass.Serve(ctx, sandboxes) }()
	go func() { ended <- servePages(ctx, pages, host) }()
	go func() { ended <- wait(ctx, session) }()
	first := <-ended
	end()
	_ = session.Close() // A server that is told to end may end as it likes.
	return errors.Join(first, <-ended, <-ended)
}
