// Package firefox drives one real Firefox for a test binary, by WebDriver BiDi, which
// Firefox speaks itself. No other program is in between.
//
// TestMain calls [Launch] once and Close at the end. Each test opens its own page with
// [Browser.Open], in its own user context (known as a container): pages share no
// cookie, storage, or service worker. [Page.Frame] finds a frame in a page, [Page.Eval]
// evaluates something in it. Every wait ends, by an event or with an error.
//
//   - profile.go: how this Firefox differs from a user's, and why.
package firefox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"github.com/bellglass/bellglass/tests/internal/process"
	"github.com/bellglass/bellglass/tests/internal/programs"
	"github.com/bellglass/bellglass/tests/internal/remote"
)

// patience bounds each wait. It is far longer than any step takes on an idle machine.
// On a busy one, 30 s were seen.
const patience = 2 * time.Minute

// A Browser is a running Firefox.
type Browser struct {
	// tabs is held while a tab opens or closes. A tab that opens while another closes
	// may be gone before it can be used.
	tabs       sync.Mutex
	profile    string
	process    *process.Process
	connection *remote.Connection
	version    string
	// home is an unused tab. All others open in its window. The newest window can be a
	// page's pop-up, which closes with that page.
	home string
}

// events are those that may mean that a frame was added, removed, or navigated.
var events = []string{
	"browsingContext.contextCreated", "browsingContext.domContentLoaded", "browsingContext.fragmentNavigated", "browsingContext.load",
}

var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// Options are additions to the usual profile.
type Options struct {
	Preferences map[string]any
	// Authority is the certificate, in PEM, of an authority that the profile trusts beside
	// those of Firefox. Without it the browser accepts every certificate.
	Authority []byte
}

// Launch starts Firefox without a window, with a profile that Close removes. ctx bounds
// only the launch. The errors say what to install.
func Launch(ctx context.Context, options Options) (*Browser, error) {
	executable, err := programs.Firefox()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	profile, err := makeProfile(options)
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile}
	if err := b.start(ctx, executable, options.Authority == nil); err != nil {
		return nil, errors.Join(fmt.Errorf("launching %s: %w", executable, err), b.Close())
	}
	return b, nil
}

func (b *Browser) start(ctx context.Context, executable string, acceptsAll bool) error {
	cmd := exec.Command(executable, "--headless", "--no-remote", "--profile", b.profile, "--remote-debugging-port=0")
	cmd.Env = environment(b.profile)
	var err error
	if b.process, err = process.Start(cmd); err != nil {
		return err
	}
	address, err := b.process.Await(ctx, listening)
	if err != nil {
		return err
	}
	if b.connection, err = remote.Dial(ctx, "Firefox", address[1]+"/session"); err != nil {
		return err
	}
	var session struct {
		Capabilities struct{ BrowserVersion string }
	}
	if err := b.connection.Call(ctx, "session.new", remote.Object{"capabilities": remote.Object{"alwaysMatch": remote.Object{"acceptInsecureCerts": acceptsAll}}}, &session); err != nil {
		return err
	}
	b.version = session.Capabilities.BrowserVersion
	var home struct{ Context string }
	if err := b.connection.Call(ctx, "browsingContext.create", remote.Object{"type": "window"}, &home); err != nil {
		return err
	}
	b.home = home.Context
	return b.connection.Call(ctx, "session.subscribe", remote.Object{"events": events}, nil)
}

// Version returns the version of the browser.
func (b *Browser) Version() string { return b.version }

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
