// Command install prepares a new machine, with only Go, Node with npm, and apt, to run `go
// test ./...`:
//
//	go run ./tests/install
//
// It installs only what is missing, so running it again takes a second. With apt it installs a
// C compiler for the race detector, and the browsers: Chromium, Firefox, and WebKitGTK with a
// virtual screen (system.go). With npm it installs the pinned packages of tests/internal/npm
// and tests/internal/apps. The packages of packages/starter go into the user's package cache.
// Progress goes to standard error.
//
//	go run ./tests/install -where typescript
//
// prints the folder of one of those packages instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"

	"github.com/bellglass/bellglass/tests/internal/apps"
	"github.com/bellglass/bellglass/tests/internal/npm"
)

func main() {
	where := flag.String("where", "", "print the folder of this npm `package` and do nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *where); err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, where string) error {
	if where != "" {
		dir, err := npm.Dir(where)
		if err != nil {
			return err
		}
		fmt.Println(dir)
		return nil
	}
	for _, r := range requirements {
		if err := r.ensure(ctx, thisMachine); err != nil {
			return err
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("node was not found: the browser driver runs on Node.js 18 or newer; install it with npm and run this again")
	}
	if err := installPackages(ctx, slices.Concat(npm.Packages(), apps.Packages())); err != nil {
		return err
	}
	return cacheStarter(ctx)
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "install: "+format+"\n", args...)
}
