package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// ArtifactsEnv is the environment variable that names the folder for records of failed
// tests. Default: the folder for temporary files.
const ArtifactsEnv = "BELLGLASS_ARTIFACTS"

// A record is what a browser context reported during its test.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *record) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "\n")
}

// line records a console line, and where it was written.
func (r *record) line(m playwright.ConsoleMessage) {
	at := ""
	if location := m.Location(); location != nil {
		at = fmt.Sprintf(" (%s:%d)", location.URL, location.LineNumber+1)
	}
	r.add("console %s: %s%s", m.Type(), m.Text(), at)
}

// watch records the console of pages and frames, uncaught errors, and failed requests.
// (The driver does not relay the console of service workers.)
func watch(in playwright.BrowserContext) *record {
	r := &record{}
	in.OnConsole(r.line)
	in.OnWebError(func(e playwright.WebError) { r.add("uncaught: %v", e.Error()) })
	// The driver reports a failed request only after it has reported the request (its
	// Go side subscribes to "responsefailed", which does not exist).
	in.OnRequest(func(playwright.Request) {})
	in.OnRequestFailed(func(request playwright.Request) {
		r.add("failed: %s %s: %v", request.Method(), request.URL(), request.Failure())
	})
	return r
}

// keepArtifacts logs the record, and saves it with screenshots and the trace.
func keepArtifacts(t testing.TB, in playwright.BrowserContext, r *record) {
	for _, page := range in.Pages() {
		r.add("at the end: %q", frameURLs(page))
	}
	t.Logf("what the browser said:\n%s", r.text())
	dir, err := artifactsDir(t.Name())
	if err != nil {
		t.Logf("keeping artifacts: %v", err)
		return
	}
	note := func(what string, err error) {
		if err != nil {
			t.Logf("keeping the %s: %v", what, err) // the context may be closed already
		}
	}
	note("log", os.WriteFile(filepath.Join(dir, "browser.log"), []byte(r.text()+"\n"), 0o644))
	for i, page := range in.Pages() {
		_, err := page.Screenshot(playwright.PageScreenshotOptions{
			Path:    playwright.String(filepath.Join(dir, fmt.Sprintf("page-%d.png", i+1))),
			Timeout: playwright.Float(5_000),
		})
		note("screenshot", err)
	}
	note("trace", in.Tracing().Stop(filepath.Join(dir, "trace.zip")))
	t.Logf("artifacts: %s", dir)
}

func artifactsDir(test string) (string, error) {
	root := os.Getenv(ArtifactsEnv)
	if root == "" {
		root = filepath.Join(os.TempDir(), "bellglass-artifacts")
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) {
			return '_'
		}
		return r
	}, test)
	return os.MkdirTemp(root, name+"-")
}
