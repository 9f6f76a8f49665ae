// Package webkit drives the real WebKitGTK, by WebDriver, for a test binary.
//
// TestMain calls [Launch] once and Close at the end; each test asks for its own
// page with [Browser.Open]: no cookie, storage or service worker is shared
// between pages. [Page.Frame] finds a frame in a page, [Page.Eval] asks it
// something. Every wait ends, with an answer or with an error.
//
// The browser is MiniBrowser, which comes with the library. It needs a screen,
// and Xvfb is one that nobody sees.
//
// # Why each page is a browser of its own
//
// The windows of one session share everything, and a driver that is asked for a
// second session sometimes never answers. So each page has its own driver, which
// starts its own browser (session.go); a page costs a second or two. The screen
// and the home folder, which holds no page's data, are shared.
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

// patience bounds each wait. It is far beyond what any step takes on a machine
// that does nothing else.
const patience = 2 * time.Minute

// A Browser is what pages of WebKitGTK are opened with.
type Browser struct {
	driver  string
	home    string
	screen  *process.Process
	display string
	version string

	mu    sync.Mutex
	spare *session // for the next page; nil when it has been taken
}

var displayNumber = regexp.MustCompile(`(?m)^(\d+)\n`)

// Launch starts a screen and a browser on it, with a home folder that Close
// removes. The context bounds the launch and nothing after it. The errors say
// what to install.
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
	// It takes a display that is free, and writes its number to standard output.
	if b.screen, err = process.Start(exec.Command(xvfb, "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp")); err != nil {
		return err
	}
	number, err := b.screen.Await(ctx, displayNumber)
	if err != nil {
		return err
	}
	b.display = ":" + number[1]
	// The first session shows that all works, and tells the version.
	if b.spare, err = b.newSession(ctx); err != nil {
		return err
	}
	b.version = b.spare.version
	return nil
}

// environment is that of drivers, and of the browsers that they start.
func (b *Browser) environment() []string {
	return append(os.Environ(),
		"DISPLAY="+b.display, "GDK_BACKEND=x11", "LIBGL_ALWAYS_SOFTWARE=1",
		// A GPU that is played by software draws many times slower than none.
		"WEBKIT_SKIA_ENABLE_CPU_RENDERING=1",
		"HOME="+b.home, "XDG_CACHE_HOME="+b.home, "XDG_CONFIG_HOME="+b.home, "XDG_DATA_HOME="+b.home, "XDG_RUNTIME_DIR="+b.home,
		// Neither the desktop's settings nor its aids.
		"GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1")
}

// Version returns the version of WebKitGTK.
func (b *Browser) Version() string { return b.version }

// takeSession returns a session that nobody has used.
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

// Close ends the screen and whatever else was started, and removes the home
// folder. Pages have ended with their tests.
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
