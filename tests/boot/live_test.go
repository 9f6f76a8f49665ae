package boot

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The host page of serve shows a change on disk by itself, marks the load in both lists, and
// shows the path of the view. With --no-live it shows the change after a reload.
func TestServeShowsChanges(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"live": nil, "not live": {"--no-live"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(path, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("page.html", `<!doctype html><meta charset="utf-8"><title>Live</title><p id="word">first</p>`)
			v := openPrinted(t, command.Start(t, append([]string{"serve", dir, "--entry", "/page?q#here", "--addr", "127.0.0.1:0"}, args...)...))
			before := v.Revision()
			expect := func(l playwright.Locator, text string) {
				t.Helper()
				if err := browser.Expect(l).ToHaveText(text); err != nil {
					t.Fatal(err)
				}
			}
			expect(v.Page.GetByTestId("view-path"), "/page?q#here")
			write("page.html", `<!doctype html><meta charset="utf-8"><title>Live</title><p id="word">second</p>`)
			waitRevision(t, v, before+1)
			word := v.Page.FrameLocator("#view iframe").FrameLocator("iframe").Locator("#word")
			if args != nil {
				expect(word, "first")
				if err := v.Page.GetByTestId("reload").Click(); err != nil {
					t.Fatal(err)
				}
			}
			expect(word, "second")
			v.WaitState("ready")
			for _, list := range []string{"network", "console"} {
				rows := v.Page.Locator(fmt.Sprintf(`[data-testid=%s] [data-testid=load][data-manner=document]`, list))
				if err := browser.Expect(rows).ToHaveCount(2); err != nil {
					t.Errorf("the list %s does not mark the two loads: %v", list, err)
				}
			}
		})
	}
}

// A change on disk reaches a running sandbox. The program is started as a user starts it, and
// loads nothing by itself.
func TestChangesReachARunningSandbox(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	dir, policy := t.TempDir(), filepath.Join(t.TempDir(), "rules.yaml")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "index.html"), `<!doctype html><meta charset="utf-8"><title>Live</title><p id="word">first</p>`)
	write(policy, glass.BlockAll)
	run := command.Start(t, "serve", dir, "--rules", policy, "--addr", "127.0.0.1:0", "--no-live")
	v := openPrinted(t, run)
	if got := v.Text("#word"); got != "first" {
		t.Fatalf("the page says %q", got)
	}

	// A file changes.
	before := v.Revision()
	write(filepath.Join(dir, "index.html"), `<!doctype html><meta charset="utf-8"><title>Live</title><p id="word">second</p>`)
	waitRevision(t, v, before+1)
	v.Reload()
	if got := v.Text("#word"); got != "second" {
		t.Errorf("after the change of the file the page says %q", got)
	}
	row := v.WaitFor(`[data-testid=lifecycle][data-step=files]`)
	if text, _ := row.TextContent(); !strings.Contains(text, "/index.html") {
		t.Errorf("the log says %q of the change, want the file's path", text)
	}

	// A new file appears in a new folder.
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "more", "new.txt"), "new")
	waitRevision(t, v, before+2)
	if got := v.Eval(`async () => (await fetch('/more/new.txt')).text()`); got != "new" {
		t.Errorf("the new file reads %v", got)
	}

	// The policy changes: the next load is allowed what was blocked before.
	url := birds.URL("live", "/api.json")
	fetch := fmt.Sprintf(`async () => { try { return (await fetch(%q)).status } catch (error) { return error.message } }`, url)
	if got := v.Eval(fetch); got != "Failed to fetch" {
		t.Errorf("before the rule the fetch gave %v", got)
	}
	at := v.Revision()
	write(policy, glass.BlockAll+"rules:\n  - id: api\n    allow: "+url+"\n")
	waitRevision(t, v, at+1)
	v.Reload()
	if got := v.Eval(fetch); got != 200 {
		t.Errorf("after the rule the fetch gave %v", got)
	}
	verdict := v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-action=allow][data-url=%q]`, url))
	if rule := attribute(t, verdict, "data-rule"); rule != "api" {
		t.Errorf("allowed by %q", rule)
	}
	// The policy is changed back: the worker blocks at once, without a load.
	write(policy, glass.BlockAll)
	waitRevision(t, v, at+2)
	if got := v.Eval(fetch); got != "Failed to fetch" {
		t.Errorf("after the rule was taken back the fetch gave %v", got)
	}

	// A policy that does not parse is rejected with its position, and changes nothing.
	write(policy, "version: 1\ndefault: block\nrulez: []\n")
	refused := v.WaitFor(`[data-testid=lifecycle][data-step=refused]`)
	if text, _ := refused.TextContent(); !strings.Contains(text, "rules.yaml:3:1") || !strings.Contains(text, "rules") {
		t.Errorf("the refusal says %q", text)
	}
	if got := v.Revision(); got != at+2 {
		t.Errorf("the refused policy made revision %d", got)
	}

	// A link that leads out of the folder is left out, and the rest stays.
	if err := os.Symlink(policy, filepath.Join(dir, "out.yaml")); err != nil {
		t.Fatal(err)
	}
	linked := v.WaitFor(`[data-testid=lifecycle][data-step=left-out]:has-text("out.yaml")`)
	if text, _ := linked.TextContent(); !strings.Contains(text, "link") {
		t.Errorf("of the link it says %q", text)
	}
	if got := v.Eval(`async () => (await fetch('/more/new.txt')).text()`); got != "new" || v.Revision() != at+2 {
		t.Errorf("after that the file reads %v at revision %d", got, v.Revision())
	}

	// Ignored files disappear, and come back.
	ignore := filepath.Join(dir, ".bellglassignore")
	write(ignore, "more/\n")
	waitRevision(t, v, at+3)
	if got := v.Eval(`async () => (await fetch('/more/new.txt')).status`); got != 404 {
		t.Errorf("the file that is ignored gives %v", got)
	}
	write(ignore, "*.log\n")
	waitRevision(t, v, at+4)
	if got := v.Eval(`async () => (await fetch('/more/new.txt')).text()`); got != "new" {
		t.Errorf("the file that is ignored no more reads %v", got)
	}
}

var address = regexp.MustCompile(`(?m)^(Open|sandbox)\s+(\S+)$`)

// openPrinted opens the host page whose address the command printed.
func openPrinted(t *testing.T, run *command.Running) *glass.View {
	t.Helper()
	found := map[string]string{}
	for _, match := range address.FindAllStringSubmatch(run.WaitOutput(t, "outer "), -1) {
		found[match[1]] = strings.TrimSuffix(match[2], "/")
	}
	v := glass.NewView(t, glass.NewPage(t), found["sandbox"])
	if _, err := v.Page.Goto(found["Open"] + "/"); err != nil {
		t.Fatal(err)
	}
	v.WaitState("ready")
	return v
}

// waitRevision waits until the host page shows the revision or a later one. The page's policy
// forbids eval, so the driver cannot poll a condition in it.
func waitRevision(t testing.TB, v *glass.View, n int) {
	t.Helper()
	var newer []string
	for i := range 10 {
		newer = append(newer, strconv.Itoa(n+i))
	}
	shown := regexp.MustCompile("^(" + strings.Join(newer, "|") + ")$")
	if err := browser.Expect(v.Page.GetByTestId("revision")).ToHaveText(shown); err != nil {
		t.Fatalf("revision %d does not come: %v", n, err)
	}
}

// attribute reads an attribute of an existing element.
func attribute(t testing.TB, l playwright.Locator, name string) string {
	t.Helper()
	value, err := l.GetAttribute(name)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// The browser stops a worker after 30 s without work. The worker restarts with nothing in
// memory, and nothing is lost.
func TestWorkerIsKilledBetweenRequests(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	allowed, blocked := birds.URL("kill", "/allowed.json"), birds.URL("kill-blocked", "/blocked.json")
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "<!doctype html><title>Kill</title>", "/a.txt": "one"},
		glass.AllScripts+"rules:\n  - id: all\n    allow: "+birds.URL("kill", "/**")+"\n  - id: host\n    allow: "+strings.TrimSuffix(birds.URL("kill-blocked", "/"), "/kill-blocked/")+"\n    methods: [PUT]\n")
	v := g.Open(t, "localhost", sandbox)
	for round := 1; round <= 5; round++ {
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/index.html": "<!doctype html><title>Kill</title>", "/a.txt": fmt.Sprint("round ", round)})); err != nil {
			t.Fatal(err)
		}
		browser.StopServiceWorkers(t, v.Page)
		if got := v.Eval(`async () => (await fetch('/a.txt')).text()`); got != fmt.Sprint("round ", round) {
			t.Errorf("round %d: the file reads %v", round, got)
		}
		browser.StopServiceWorkers(t, v.Page)
		if got := v.Eval(fmt.Sprintf(`async () => (await fetch(%q)).status`, allowed)); got != 200 {
			t.Errorf("round %d: the allowed request gave %v", round, got)
		}
		browser.StopServiceWorkers(t, v.Page)
		// The browser's policy knows no methods, so the worker must block this request.
		if got := v.Eval(fmt.Sprintf(`async () => { try { return (await fetch(%q)).status } catch { return 'refused' } }`, blocked)); got != "refused" {
			t.Errorf("round %d: the blocked request gave %v", round, got)
		}
	}
	if hits := birds.Hits("kill-blocked"); len(hits) > 0 {
		t.Errorf("the woken worker let out %+v", hits)
	}
	v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-source=worker][data-action=block][data-url=%q]`, blocked))
}

// A block is never silent: the page's own console says that no rule allows the request.
func TestBlockedRequestWarnsInThePage(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage},
		glass.AllScripts+"rules:\n  - id: writing\n    allow: "+birds.URL("warned", "/**")+"\n    methods: [PUT]\n"))
	url := birds.URL("warned", "/x.json")
	message, err := v.Page.Context().ExpectConsoleMessage(func() error {
		_, err := v.Evaluate(fmt.Sprintf(`async () => { try { await fetch(%q) } catch {} }`, url))
		return err
	}, playwright.BrowserContextExpectConsoleMessageOptions{Predicate: func(m playwright.ConsoleMessage) bool {
		return strings.HasPrefix(m.Text(), "Bellglass blocked GET "+url)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if message.Type() != "warning" || !strings.Contains(message.Text(), "address, and no rule names it") {
		t.Errorf("the console says %s: %q", message.Type(), message.Text())
	}
}
