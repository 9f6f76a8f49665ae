// Command viewer is a small web service that shows generated code under glass: on its
// own page, on its own route, under its own policy.
//
//	go run ./examples/viewer            # and open the address that it prints
//
// It turns any words into a drawing. The generator, sketch.go, stands for whatever
// writes your untrusted code: nobody has reviewed what it wrote. The code also tries to
// send the words to another site. The page beside the drawing shows that it could not.
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
	addr := flag.String("addr", "127.0.0.1:3344", "the `address` to listen on; port 0 chooses a free one")
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
		// Drawings that nobody views expire soon. The same words make the same drawing
		// again.
		Limits: server.Limits{Limits: server.SandboxLimits{Sandboxes: 1_000, Idle: 10 * time.Minute}},
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
