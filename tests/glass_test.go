package tests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/vfs"
)

// A glass is a server of the product on a free port of both loopback addresses.
type glass struct {
	*server.Server
	port int
}

// startGlass serves until the test ends. adjust may change the configuration.
func startGlass(t testing.TB, adjust ...func(*server.Config)) *glass {
	t.Helper()
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := server.Config{Port: listeners.Port(), Log: slog.New(slog.NewTextHandler(testLog{t}, nil))}
	for _, a := range adjust {
		a(&config)
	}
	srv, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return &glass{srv, listeners.Port()}
}

// startGlassCountingBoots serves like startGlass, and counts how often a boot page is
// asked for.
func startGlassCountingBoots(t testing.TB, adjust ...func(*server.Config)) (*glass, *atomic.Int64) {
	t.Helper()
	boots := new(atomic.Int64)
	return startGlassBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.bellglass/boot" {
				boots.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, adjust...), boots
}

// startGlassBehind serves like startGlass, with something of the test's own in
// front of the server, which can change or refuse any answer.
func startGlassBehind(t testing.TB, front func(http.Handler) http.Handler, adjust ...func(*server.Config)) *glass {
	t.Helper()
	listeners := listenLoopback(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	config := server.Config{Port: port, Log: slog.New(slog.NewTextHandler(testLog{t}, nil))}
	for _, a := range adjust {
		a(&config)
	}
	srv, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close) // what it still does may log to the test
	serve(t, listeners, front(srv))
	return &glass{srv, port}
}

// serve answers on the listeners until the test ends, and then waits for the
// handlers, which may log to the test.
func serve(t testing.TB, listeners []net.Listener, handler http.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := &http.Server{Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx }}
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() {
			if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("serving: %v", err)
			}
		})
	}
	t.Cleanup(func() {
		cancel() // ends the streams
		patience, stop := context.WithTimeout(context.Background(), browser.Patience)
		defer stop()
		if err := h.Shutdown(patience); err != nil {
			t.Errorf("the handlers do not end: %v", err)
		}
		serving.Wait()
	})
}

// listenLoopback opens one free port on both loopback addresses, as the product
// does: a browser may try either.
func listenLoopback(t testing.TB) []net.Listener {
	t.Helper()
	const draws = 20
	for draw := 1; ; draw++ {
		v4, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		v6, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", v4.Addr().(*net.TCPAddr).Port))
		switch {
		case err == nil:
			return []net.Listener{v4, v6}
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
			return []net.Listener{v4} // no IPv6 here, so nobody else is there either
		}
		v4.Close()
		if draw == draws {
			t.Fatal(err)
		}
	}
}

// namings are the ways in which a sandbox's host is named: below the outer
// frame's, which makes all sandboxes one site to a browser, or below localhost
// itself, where each is a site of its own.
var namings = []string{"{id}.sandbox.localhost", "{id}.localhost"}

// named is the adjustment of a server to a naming.
func named(inner string) func(*server.Config) {
	return func(c *server.Config) { c.InnerHost = inner }
}

// testLog hands the server's log to the test, which prints it on failure.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

// files makes a snapshot in the server's store from texts by path.
func (g *glass) files(t testing.TB, texts map[string]string) *vfs.Snapshot {
	t.Helper()
	contents := map[string][]byte{}
	for path, text := range texts {
		contents[path] = []byte(text)
	}
	snapshot, err := g.Store().Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// folder makes a snapshot of a folder as it is now, whose large files stay on disk.
func (g *glass) folder(t testing.TB, dir string, limits vfs.Limits) *vfs.Snapshot {
	t.Helper()
	folder, err := vfs.OpenFolder(dir, g.Store(), limits)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	files, err := folder.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func parse(t testing.TB, policy string) *rules.Policy {
	t.Helper()
	p, err := rules.Parse("rules.yaml", []byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sandbox makes a sandbox with files and a policy text.
func (g *glass) sandbox(t testing.TB, texts map[string]string, policy string) *server.Sandbox {
	t.Helper()
	sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: g.files(t, texts), Policy: parse(t, policy)})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}

// Policies that many tests share.
const (
	blockAll   = "version: 1\ndefault: block\n"
	allScripts = "version: 1\ndefault: block\nscripts: [inline, eval, wasm, blob]\n"
)

// A view is a sandbox's host page in a browser.
type view struct {
	t     testing.TB
	page  playwright.Page
	inner string // the sandbox's origin
}

// open opens the host page of the sandbox under a host name and waits until the
// view is ready.
func (g *glass) open(t testing.TB, host string, sandbox *server.Sandbox) *view {
	t.Helper()
	return g.openIn(t, chromium(t), host, sandbox)
}

// openIn is open in a browser of the test's own.
func (g *glass) openIn(t testing.TB, b *browser.Browser, host string, sandbox *server.Sandbox) *view {
	t.Helper()
	v := &view{t: t, page: b.Page(t), inner: sandbox.URL()}
	if _, err := v.page.Goto(fmt.Sprintf("http://%s:%d/sandboxes/%s", host, g.port, sandbox.ID())); err != nil {
		t.Fatal(err)
	}
	v.waitState("ready")
	return v
}

// waitState waits until the host page shows the state.
func (v *view) waitState(state string) {
	v.t.Helper()
	v.waitFor(fmt.Sprintf(`[data-testid=state][data-state=%q]`, state))
}

// waitFor waits until the host page has an element, which need not be visible.
func (v *view) waitFor(selector string) playwright.Locator {
	v.t.Helper()
	first := v.page.Locator(selector).First()
	if err := first.WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		v.t.Fatalf("the host page has no %s: %v", selector, err)
	}
	return first
}

// attribute reads one attribute of an element that waitFor has found.
func (v *view) attribute(l playwright.Locator, name string) string {
	v.t.Helper()
	value, err := l.GetAttribute(name)
	if err != nil {
		v.t.Fatal(err)
	}
	return value
}

// frame is the view: the frame in the outer frame, which is the only one in the
// host page. A nested frame of the sandbox is deeper.
func (v *view) frame() playwright.Frame {
	v.t.Helper()
	return browser.FrameThat(v.t, v.page, "is the view", func(frame playwright.Frame) bool {
		outer := frame.ParentFrame()
		return outer != nil && outer.ParentFrame() == v.page.MainFrame() &&
			strings.HasPrefix(frame.URL(), v.inner+"/") && !strings.HasPrefix(frame.URL(), v.inner+"/.bellglass/")
	})
}

// eval runs a function of no arguments in the view's document and returns its
// result. The driver waits for a promise without end, so the test has one.
func (v *view) eval(function string) any {
	v.t.Helper()
	result, err := v.evaluate(function)
	if err != nil {
		v.t.Fatal(err)
	}
	return result
}

func (v *view) evaluate(function string) (any, error) {
	v.t.Helper()
	return evaluateIn(v.frame(), function)
}

// An evaluator is a page or frame that the driver of Chromium has.
type evaluator interface {
	Evaluate(expression string, arg ...any) (any, error)
}

// evaluateIn is evaluate for any page or frame.
func evaluateIn(in evaluator, function string) (any, error) {
	type outcome struct {
		result any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := in.Evaluate(function)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(browser.Patience):
		return nil, fmt.Errorf("no result within %v of %.300s", browser.Patience, function)
	}
}

// text waits for an element of the view's document and returns its text.
func (v *view) text(selector string) string {
	v.t.Helper()
	text, err := v.frame().Locator(selector).TextContent()
	if err != nil {
		v.t.Fatal(err)
	}
	return text
}

// revision is the newest one that the host page shows.
func (v *view) revision() int {
	v.t.Helper()
	text, err := v.page.GetByTestId("revision").TextContent()
	if err != nil {
		v.t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		v.t.Fatalf("the host page shows the revision %q", text)
	}
	return n
}

// waitRevision waits until the host page shows the revision or one of the next.
// Its policy has no eval, so the driver cannot be given a condition to poll.
func (v *view) waitRevision(n int) {
	v.t.Helper()
	var newer []string
	for i := range 10 {
		newer = append(newer, strconv.Itoa(n+i))
	}
	shown := regexp.MustCompile("^(" + strings.Join(newer, "|") + ")$")
	if err := browser.Expect(v.page.GetByTestId("revision")).ToHaveText(shown); err != nil {
		v.t.Fatalf("revision %d does not come: %v", n, err)
	}
}

// reload has the view's document load itself again, and waits for the new one,
// not for the boot page that may stand in between.
func (v *view) reload() {
	v.t.Helper()
	if _, err := v.frame().Evaluate("() => { document.documentElement.dataset.old = 'yes'; location.reload() }"); err != nil {
		v.t.Fatal(err)
	}
	if err := v.frame().Locator("html:not([data-old]):not(:has(script#data))").WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		v.t.Fatal(err)
	}
}

// request asks the server at a host name, as a browser's request with this
// Sec-Fetch-Dest. Go's resolver does not know *.localhost on every machine, so
// the loopback address is dialled and the host is only named.
func (g *glass) request(t testing.TB, method, url, destination string, header http.Header, body []byte) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if destination != "" {
		r.Header.Set("Sec-Fetch-Dest", destination)
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	} else {
		r.Host = r.URL.Host
	}
	r.URL.Host = fmt.Sprintf("127.0.0.1:%d", g.port)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}
