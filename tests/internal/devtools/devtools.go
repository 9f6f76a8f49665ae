// Package devtools drives a real Chromium by the DevTools protocol, attached to a tab
// and to the frames that are asked something, and to nothing else.
//
// Package browser has the driver of most tests, Playwright. It attaches to every service
// worker, and Chromium never puts such a worker to sleep. Measured with Chromium 156, of
// workers that had nothing to do for 60 s:
//
//	                 asleep
//	this driver      5 of 5
//	Playwright       0 of 5
//
// A test that wants a worker's life to be that in a user's browser needs this driver. One
// does: TestReadYourWrites. In 400 courses of it, both drivers had every load answered.
// With this one a document lost its worker once, which the test is to survive; with
// Playwright none did. Playwright was worse before: in 2 of 4 runs of 100 courses Chromium
// ended an attached worker that was being replaced, with a load in its hand. Package glass
// uses it, too, where it needs no more: for a Chromium whose preferences block all cookies.
//
// The driver can do little: [Browser.Open] a page in a browser context of its own, find a
// [Page.Frame] in it, [Page.Eval] something there or [Page.Await] it, [Page.Navigate]
// elsewhere, and [Page.StopServiceWorkers]. What else a test needs of Chromium belongs to
// package browser.
package devtools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/process"
	"github.com/bellglass/bellglass/tests/internal/remote"
)

// patience bounds each wait. It is far longer than any step takes on an idle machine.
const patience = 2 * time.Minute

// A Browser is a running Chromium.
type Browser struct {
	profile    string
	process    *process.Process
	connection *remote.Connection
}

var listening = regexp.MustCompile(`DevTools listening on (ws://\S+)`)

// Launch starts Chromium without a window, with a profile that Close removes, and with
// additional preferences. ctx bounds only the launch. The errors say what to install.
func Launch(ctx context.Context, preferences ...map[string]any) (*Browser, error) {
	executable, err := chromium.Find()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	profile, err := os.MkdirTemp("", "bellglass-chromium-")
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	b := &Browser{profile: profile}
	for _, some := range preferences {
		if err := chromium.WritePreferences(profile, some); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	if err := b.start(ctx, executable); err != nil {
		return nil, errors.Join(fmt.Errorf("launching %s: %w", executable, err), b.Close())
	}
	return b, nil
}

func (b *Browser) start(ctx context.Context, executable string) error {
	arguments := slices.Concat(chromium.Arguments, []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + b.profile})
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--no-sandbox") // Chromium refuses to run as root otherwise
	}
	cmd := exec.Command(executable, arguments...)
	cmd.Env = append(os.Environ(), "TMPDIR="+b.profile) // it leaves a folder there
	var err error
	if b.process, err = process.Start(cmd); err != nil {
		return err
	}
	address, err := b.process.Await(ctx, listening)
	if err != nil {
		return err
	}
	if b.connection, err = remote.Dial(ctx, "Chromium", address[1]); err != nil {
		return err
	}
	return b.connection.Call(ctx, "Target.setDiscoverTargets", remote.Object{"discover": true}, nil)
}

// Close closes the browser and everything that it started, and removes its profile.
func (b *Browser) Close() error {
	var problems []error
	if b.connection != nil {
		b.connection.Close()
	}
	if b.process != nil {
		problems = append(problems, b.process.Stop())
	}
	return errors.Join(append(problems, os.RemoveAll(b.profile))...)
}
