// Command mcp-host is a small MCP host. It starts an MCP server, shows its tools on a
// page, and runs the apps of these tools under glass: each view at an origin of its own,
// under a policy made of what the app declares.
//
//	go run ./examples/mcp-host            # and open the address that it prints
//	go run ./examples/mcp-host -- npx -y @modelcontextprotocol/server-budget-allocator --stdio
//
// The first shows the server that comes with it, the second another one. You are the
// model here: you choose the tool and its arguments.
//
//   - main.go: the settings, and Bellglass and the page on one port each.
//   - session.go: the MCP server, by the official Go SDK.
//   - apps.go: which tools have an app, and what it is.
//   - host.go: the page's way to both.
//   - view.js: what host and app say to each other.
//   - host.js, host.html, host.css: the page.
//   - palette: an MCP server with an app.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

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

// paletteServer is the command that runs the server of this program's own.
const paletteServer = "palette-server"

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	addr := flag.String("addr", "127.0.0.1:8080", "the loopback `address` of the page; port 0 takes a free one")
	sandboxAddr := flag.String("sandbox-addr", "127.0.0.1:0", "the loopback `address` of the sandboxes; port 0 takes a free one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := error(nil)
	if flag.Arg(0) == paletteServer {
		err = servePalettes()
	} else {
		err = run(ctx, *addr, *sandboxAddr, flag.Args())
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "mcp-host:", err)
		os.Exit(1)
	}
}

// servePalettes is an MCP server until its standard input ends.
func servePalettes() error {
	// A terminal sends Ctrl-C to the host as well, which then closes standard input.
	signal.Ignore(os.Interrupt)
	return palette.NewServer().Run(context.Background(), &mcp.StdioTransport{})
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
	origin := fmt.Sprintf("http://localhost:%d", pages.Port())

	// Bellglass is a handler of this program. It knows which page may show its sandboxes.
	glass, err := server.New(server.Config{
		Port:      sandboxes.Port(),
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
	host := newHost(session, glass.ProxyURL(), pages.Port())
	fmt.Println(origin + "/")

	// The first to end ends the others.
	ctx, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 3)
	go func() { ended <- glass.Serve(ctx, sandboxes) }()
	go func() { ended <- servePages(ctx, pages, host) }()
	go func() { ended <- wait(ctx, session) }()
	first := <-ended
	end()
	_ = session.Close() // How a server ends that was told to, is its own business.
	return errors.Join(first, <-ended, <-ended)
}

// listen opens a loopback address, which a flag names.
func listen(name, addr string) (*server.Listeners, error) {
	listeners, err := server.Listen(addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("another program listens on %s. Stop it, or choose another port with --%s", addr, name)
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", name, err)
	case !listeners.Loopback():
		return nil, errors.Join(fmt.Errorf("--%s %s is not a loopback address. This host asks nobody for a password, so it serves this machine alone: choose 127.0.0.1", name, addr), listeners.Close())
	}
	return listeners, nil
}

// servePages answers until ctx ends, and with it every request.
func servePages(ctx context.Context, l *server.Listeners, handler http.Handler) error {
	h := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	defer h.Close()
	failed := make(chan error, len(l.All()))
	for _, each := range l.All() {
		go func() { failed <- h.Serve(each) }()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return h.Shutdown(late)
}
