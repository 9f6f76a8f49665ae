package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilTold returns a context that ends when a signal tells the program to end. A
// program started with SIGHUP ignored, as by nohup(1), keeps ignoring it.
func untilTold() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}
