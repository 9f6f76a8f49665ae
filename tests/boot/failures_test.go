package boot

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// deadURL returns an address without a listener.
func deadURL(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprintf("http://%s/dead", l.Addr())
}

// The host page and the program's log say that an allowed request failed, and that a missing
// file is missing. Neither counts as allowed.
func TestFailuresAreShown(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	birds.Answer("/shown/broken", canary.Answer{Status: 500})
	served, broken, dead, blocked := birds.URL("shown", "ok.json"), birds.URL("shown", "broken"), deadURL(t), birds.URL("other", "x")
	log := &lockedBuffer{}
	g := glass.Start(t, func(c *server.Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": `<!doctype html><title>Failures</title>`},
		fmt.Sprintf("version: 1\ndefault: block\nrules:\n  - {id: bird, allow: %q}\n  - {id: dead, allow: %q}\n  - {id: posts, allow: %q, methods: [POST]}\n", birds.URL("shown", "*"), dead, blocked))
	v := g.Open(t, "localhost", sandbox)
	for _, url := range []string{served, broken, dead, blocked, "/main.js"} {
		v.Eval(fmt.Sprintf(`() => fetch(%q).then(() => {}, () => {})`, url))
	}
	missing := sandbox.URL() + "/main.js"
	for _, row := range []struct{ url, outcome, word, line string }{
		{served, "allow", "Allowed", ""},
		{broken, "fail", "Failed", "msg=failed sandbox=ID what=GET url=" + broken + " status=500 rule=bird"},
		{dead, "fail", "Failed", "msg=failed sandbox=ID what=GET url=" + dead + " status=0 rule=dead code=network-error"},
		{blocked, "block", "Blocked", "msg=blocked sandbox=ID what=GET url=" + blocked},
		{missing, "missing", "Not found", `msg="not found" sandbox=ID what=GET url=` + missing},
	} {
		shown := v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-url=%q][data-outcome=%s]:not([hidden])`, row.url, row.outcome))
		if err := browser.Expect(shown.Locator(".outcome")).ToHaveText(row.word); err != nil {
			t.Errorf("%s: %v", row.url, err)
		}
		if text := log.String(); row.line != "" && !strings.Contains(strings.ReplaceAll(text, "sandbox="+sandbox.ID(), "sandbox=ID"), row.line) {
			t.Errorf("the log has no line %s\n%s", row.line, text)
		}
	}
	own := v.Page.Locator(`[data-testid=verdict][data-outcome=missing] .address`)
	if err := browser.Expect(own).ToHaveText("/main.js"); err != nil {
		t.Error(err)
	}
	if text := log.String(); strings.Contains(text, served) {
		t.Errorf("the log has a line on %s, which did not fail:\n%s", served, text)
	}
	for choice, count := range map[string]string{"all": "5", "block": "1", "fail": "3", "allow": "1"} {
		if err := browser.Expect(v.Page.GetByTestId("count-" + choice)).ToHaveText(count); err != nil {
			t.Error(err)
		}
	}
	if err := v.Page.Locator(`label[data-choice=fail]`).Click(); err != nil {
		t.Fatal(err)
	}
	rows := v.Page.Locator(`[data-testid=verdict]:visible`)
	if err := browser.Expect(rows).ToHaveCount(3); err != nil {
		t.Errorf("the choice Failed shows other rows than the failed: %v", err)
	}
}

// A frame without an origin says which keyword its sandbox attribute lacks, and does not blame
// a browser setting. For the files that such a frame requests, the log says so.
func TestFramesWithoutOriginSayWhy(t *testing.T) {
	t.Parallel()
	log := &lockedBuffer{}
	g := glass.Start(t, func(c *server.Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
	v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{
		"/index.html": `<!doctype html><title>Frames</title><iframe sandbox="allow-scripts" src="/inner.html"></iframe>` +
			`<iframe sandbox="allow-scripts" srcdoc="<link rel=stylesheet href=/inner.css><p>loaded"></iframe>`,
		"/inner.html": "<!doctype html><p>inner", "/inner.css": "p { color: red }",
	}, glass.BlockAll))
	nested := v.Page.FrameLocator("#view iframe").FrameLocator("iframe")
	for selector, text := range map[string]string{"#text": "allow-same-origin", "#advice": "allow-same-origin", "#code": "no-origin"} {
		if err := browser.Expect(nested.FrameLocator("iframe[src]").Locator(selector)).ToContainText(text); err != nil {
			t.Errorf("%s: %v", selector, err)
		}
	}
	if err := browser.Expect(nested.FrameLocator("iframe[srcdoc]").Locator("p")).ToHaveText("loaded"); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "url=/inner.css") || !strings.Contains(text, "allow-same-origin") {
		t.Errorf("the log says nothing of /inner.css and allow-same-origin:\n%s", text)
	}
}

// The browser refuses a redirect before the worker sees it. The reason names every possible
// cause, and the page gets nothing.
func TestRedirectIsAmongTheReasons(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	redirected := birds.Redirect("shown", birds.URL("elsewhere", "x"))
	g := glass.Start(t)
	v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/index.html": "<!doctype html><title>Redirect</title>"},
		fmt.Sprintf("version: 1\ndefault: block\nrules:\n  - {id: bird, allow: %q}\n", birds.URL("shown", "*"))))
	v.Eval(fmt.Sprintf(`() => fetch(%q).then(() => {}, () => {})`, redirected))
	row := v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-url=%q][data-outcome=fail][data-code=network-error]`, redirected))
	for _, word := range []string{"cannot be reached", "CORS", "redirect"} {
		if err := browser.Expect(row.Locator(".reason")).ToContainText(word); err != nil {
			t.Error(err)
		}
	}
	if hits := birds.Hits("elsewhere"); len(hits) > 0 {
		t.Errorf("the redirect was followed: %+v", hits)
	}
}

// A view that stays blank because its scripts do not run says so above it, with the reason of
// the first script. The log says it, too.
func TestBlankViewsSayWhy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, page, says, line string }{
		{"CommonJS in TypeScript", `<script type="module" src="/main.cts"></script>`, "A script did not run /main.cts: no browser runs TypeScript or JSX", "code=not-javascript"},
		{"no such file", `<script src="/mian.js"></script>`, "A script did not run /mian.js: the sandbox has no file", `msg="not found"`},
		{"inline", `<script>1</script><script>2</script>`, `2 scripts did not run inline: the policy does not list "inline" under scripts. The log`, "code=scripts"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			log := &lockedBuffer{}
			g := glass.Start(t, func(c *server.Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
			v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/index.html": "<!doctype html><title>Blank</title>" + row.page, "/main.cts": "export {}"}, glass.BlockAll))
			notice := v.Page.GetByTestId("notice")
			if err := browser.Expect(notice).ToContainText(row.says); err != nil {
				t.Error(err)
			}
			if text := log.String(); !strings.Contains(text, row.line) {
				t.Errorf("the log has no %s:\n%s", row.line, text)
			}
			if err := notice.Locator("button").Click(); err != nil {
				t.Fatal(err)
			}
			if err := browser.Expect(notice).ToBeHidden(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Without an entry, the view says what can be opened.
func TestMissingEntrySaysWhatThereIs(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/demo.html": "<!doctype html>", "/src/main.tsx": "1"}, glass.BlockAll))
	for _, part := range []string{"there is no virtual file /index.html", "--entry /demo.html"} {
		if got := v.Text("pre"); !strings.Contains(got, part) {
			t.Errorf("the view says %q, without %q", got, part)
		}
	}
}
