package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/bellglass/bellglass/server"
)

// listen opens a loopback address that the flag --name gave.
func listen(name, addr string) (*server.Listeners, error) {
	listeners, err := server.Listen(addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("another program listens on %s. Stop it, or choose another port with --%s", addr, name)
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", name, err)
	case !listeners.Loopback():
		return nil, errors.Join(fmt.Errorf("--%s %s is not a loopback address. This host has no sign-in, so it serves only this machine: choose 127.0.0.1", name, addr), listeners.Close())
	}
	return listeners, nil
}

// servePages answers requests until ctx ends, which also ends requests in progress.
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
