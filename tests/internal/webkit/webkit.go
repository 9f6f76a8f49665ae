// Package webkit drives the real WebKitGTK, by WebDriver, for a test binary.
//
// TestMain calls [Launch] once and Close at the end. Each test opens its own page with
// [Browser.Open]: pages share no cookie, storage, or service worker. [Page.Frame] finds
// a frame in a page, [Page.Eval] evaluates something in it. Every wait ends, with an
// answer or with an error.
//
// The browser is MiniBrowser, which comes with the library. It needs a screen, so it
// gets an invisible one from Xvfb.
//
// # Why each page has its own browser
//
// The windows of one session share everything, and a driver that is asked for a second
// session sometimes never answers. So each page has its own driver, which starts its
// own browser (session.go). A page costs a second or two. Pages share the screen and
// the home folder, which holds no page's data.
package webkit

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
)

// patience bounds each wait. It is far longer than any step takes on an idle machine.
const patience = 2 * time.Minute

// A Browser opens pages of WebKitGTK.
type Browser struct {
	driver  string
	home    string
	screen  *process.Process
	display string
	version string

	mu    sync.Mutex
	spare *session // for the next page; nil when it has been used
}

var displayNumber = regexp.MustCompile(`(?m)^(\d+)\n`)

// Launch starts a screen and a browser on it, with a home folder that Close removes.
// ctx bounds only the launch. The errors say what to install.
func Launch(ctx context.Context) (*Browser, error) {
	driver, err := programs.WebKitDriver()
	if err != nil {
		return nil, err
	}
	xvfb, err := programs.Xvfb()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	home, err := os.MkdirTemp("", "bellglass-webkit-")
	if err != nil {
		return nil, err
	}
	b := &Browser{driver: driver, home: home}
	if err := b.start(ctx, xvfb); err != nil {
		return nil, errors.Join(fmt.Errorf("launching WebKitGTK by %s: %w", driver, err), b.Close())
	}
	return b, nil
}

func (b *Browser) start(ctx context.Context, xvfb string) error {
	var err error
	// Xvfb chooses a free display, and prints its number. Without -noreset it restarts when
	// its last client disconnects, and a browser that starts at that moment loses its display.
	if b.screen, err = process.Start(exec.Command(xvfb, "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset")); err != nil {
		return err
	}
	number, err := b.screen.Await(ctx, displayNumber)
	if err != nil {
		return err
	}
	b.display = ":" + number[1]
	// The first session proves that everything works, and reports the version.
	if b.spare, err = b.newSession(ctx); err != nil {
		return err
	}
	b.version = b.spare.version
	return nil
}

// environment returns the environment of drivers and of their browsers.
func (b *Browser) environment() []string {
	return append(os.Environ(),
		"DISPLAY="+b.display, "GDK_BACKEND=x11", "LIBGL_ALWAYS_SOFTWARE=1",
		// Drawing with a GPU emulated in software is many times slower than without
		// one.
		"WEBKIT_SKIA_ENABLE_CPU_RENDERING=1",
		"HOME="+b.home, "XDG_CACHE_HOME="+b.home, "XDG_CONFIG_HOME="+b.home, "XDG_DATA_HOME="+b.home, "XDG_RUNTIME_DIR="+b.home,
		// Ignore the desktop's settings and accessibility services.
		"GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1")
}

// Version returns the version of WebKitGTK.
func (b *Browser) Version() string { return b.version }

// takeSession returns an unused session.
func (b *Browser) takeSession(ctx context.Context) (*session, error) {
	b.mu.Lock()
	s := b.spare
	b.spare = nil
	b.mu.Unlock()
	if s != nil {
		return s, nil
	}
	return b.newSession(ctx)
}

// Close stops the screen and everything else that was started, and removes the home
// folder. Pages have been closed with their tests.
func (b *Browser) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var problems []error
	if b.spare != nil {
		problems = append(problems, b.spare.end())
	}
	if b.screen != nil {
		problems = append(problems, b.screen.Stop())
	}
	return errors.Join(append(problems, os.RemoveAll(b.home))...)
}
