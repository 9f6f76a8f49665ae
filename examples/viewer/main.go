// Command viewer is a small web service of one's own that shows generated code
// under glass: on a page of its own, on its own route, under its own policy.
//
//	go run ./examples/viewer            # and open the address that it prints
//
// It makes a drawing of any words. What makes it, sketch.go, stands for whatever
// writes code that you did not: nobody has read what it wrote, and it also tries to
// tell another site the words. The page beside the drawing shows that it could not.
//
//   - main.go: the settings, and a server that serves both on one port.
//   - viewer.go: the service's own routes.
//   - sketch.go, sketch.html: the generator.
//   - policy.yaml: what a drawing may do.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/bellglass/bellglass/server"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:3344", "the `address` to listen on; port 0 takes a free one")
	flag.Parse()
	if err := run(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "viewer:", err)
		os.Exit(1)
	}
}

func run(addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listeners, err := server.Listen(addr)
	if err != nil {
		return err
	}
	defer listeners.Close()
	glass, err := server.New(server.Config{
		PublicURL: listeners.URL(),
		Log:       slog.New(slog.NewTextHandler(os.Stderr, nil)),
		// A drawing that nobody looks at is gone soon; its words make it again.
		Limits: server.Limits{Sandboxes: 1_000, Idle: 10 * time.Minute},
	})
	if err != nil {
		return err
	}
	viewer, err := newViewer(glass, fmt.Sprintf("localhost:%d", listeners.Port()))
	if err != nil {
		return err
	}
	fmt.Println(glass.PublicURL() + "/")
	return glass.ServeBeside(ctx, listeners, viewer)
}
