package boot

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/server"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The self-test, in a real browser. With defenses it says "contained". Without any it says
// that something got out, so it can detect that. tests/escape checks which techniques get out.
// Here some techniques of many families are enough.
const (
	tried = `^(anchor/scripted-frame|answer/script|breakout/monkey-patch|css/(background|import)|fetch/(no-cors|https|xhr)|form/frame|frame/canary|link/preload|markup/script|navigation/frame-blank|realm/(blank|srcdoc)|redirect/fetch|script/import|transport/(websocket|stun)|worker/blob)$`
	// leastControls is how many controls must arrive. With fewer, "contained" would mean
	// little.
	leastControls = 15
)

// selfTest runs the self-test in a page of its own, to its end.
func selfTest(t *testing.T, adjust ...func(*server.Config)) (playwright.Page, *selftest.Report) {
	t.Helper()
	g := glass.Start(t, append(adjust, func(c *server.Config) { c.SelfTest = true })...)
	run, err := g.SelfTest().Start(selftest.Options{Only: regexp.MustCompile(tried)})
	if err != nil {
		t.Fatal(err)
	}
	page := glass.NewPage(t)
	if _, err := page.Goto(fmt.Sprintf("http://localhost:%d%s", g.Port, run.Path())); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#main[data-state=done]").WaitFor(playwright.LocatorWaitForOptions{Timeout: playwright.Float(180_000)}); err != nil {
		t.Fatal(err)
	}
	<-run.Done()
	return page, run.Report()
}

// table reads what the page shows: each row's name and outcome, including hidden rows.
func table(t *testing.T, page playwright.Page) map[string]string {
	t.Helper()
	rows, err := page.Evaluate(`Object.fromEntries(Array.from(document.querySelectorAll('[data-testid=row]'), (row) => [row.dataset.name, row.dataset.outcome]))`)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for name, outcome := range rows.(map[string]any) {
		shown[name] = outcome.(string)
	}
	return shown
}

func shownText(t *testing.T, page playwright.Page, selector string) string {
	t.Helper()
	text, err := page.Locator(selector).TextContent()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSelfTestContained(t *testing.T) {
	t.Parallel()
	page, report := selfTest(t)
	counts := report.Counts()
	if report.Verdict() != selftest.VerdictContained || counts[selftest.Escaped] != 0 || counts[selftest.Contained] < leastControls {
		t.Errorf("%s; %v, strays %v, detail %q", report.Summary(), counts, report.Strays, report.Detail)
		for _, row := range report.Rows {
			if row.Why != selftest.WhyChoice && row.Outcome != selftest.Contained {
				t.Logf("%+v", row)
			}
		}
	}
	if report.Containment == "" || !strings.HasPrefix(report.Browser.Name, "Chrome") {
		t.Errorf("the report names the browser %+v, containment %q", report.Browser, report.Containment)
	}
	want := map[string]string{}
	for _, row := range report.Rows {
		want[row.Name] = string(row.Outcome)
	}
	if diff := cmp.Diff(want, table(t, page)); diff != "" {
		t.Errorf("the table shows something else (-want +got):\n%s", diff)
	}
	if title := shownText(t, page, "[data-testid=title]"); title != "Contained" {
		t.Errorf("the page says %q", title)
	}

	// Nothing remains of the run: neither its sandboxes nor its page.
	other := glass.NewPage(t)
	if _, err := other.Goto(page.URL()); err != nil {
		t.Fatal(err)
	}
	if title := shownText(t, other, "[data-testid=title]"); title != "That run is over" {
		t.Errorf("the page of a run that is over says %q", title)
	}
}

// Without defenses, the check fails, which shows that it can.
func TestSelfTestSeesEscapes(t *testing.T) {
	t.Parallel()
	page, report := selfTest(t, func(c *server.Config) {
		c.Defenses = firewalltest.NoDefenses("the self-test must be able to say that something got out")
	})
	escaped := report.Counts()[selftest.Escaped]
	if report.Verdict() != selftest.VerdictEscaped || escaped < leastControls {
		t.Errorf("%s; %v", report.Summary(), report.Counts())
	}
	if title := shownText(t, page, "[data-testid=title]"); title != "Something got out" {
		t.Errorf("the page says %q", title)
	}
	if rows, err := page.Locator("[data-testid=row][data-outcome=escaped]:visible").Count(); err != nil || rows != escaped {
		t.Errorf("the page shows %d escapes of %d, %v", rows, escaped, err)
	}
}

// The page starts a run itself, and a visitor can cancel it.
func TestSelfTestIsStartedAndCancelled(t *testing.T) {
	t.Parallel()
	g := glass.Start(t, func(c *server.Config) { c.SelfTest = true })
	g.NewSandbox(t, codeFiles, "version: 1\n")
	page := glass.NewPage(t)
	if _, err := page.Goto(fmt.Sprintf("http://localhost:%d/", g.Port)); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("[data-testid=selftest]").Click(); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("[data-testid=action]").Click(); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#main[data-state=running]").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("[data-testid=action]").Click(); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#main[data-state=done]").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if text := shownText(t, page, "[data-testid=lead]"); !strings.Contains(text, "cancelled") {
		t.Errorf("the page says %q", text)
	}
}

// A server that does not offer the self-test has neither its paths nor a link to it.
func TestSelfTestIsNotOffered(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	g.NewSandbox(t, codeFiles, "version: 1\n")
	page := glass.NewPage(t)
	response, err := page.Goto(fmt.Sprintf("http://localhost:%d/selftest", g.Port))
	if err != nil {
		t.Fatal(err)
	}
	if response.Status() != 404 {
		t.Errorf("/selftest answers %d", response.Status())
	}
	if _, err := page.Goto(fmt.Sprintf("http://localhost:%d/", g.Port)); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("[data-testid=state]").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if visible, err := page.Locator("[data-testid=selftest]").IsVisible(); err != nil || visible {
		t.Errorf("the host page has a link to it (%v)", err)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	browser, err := installed.Find()
	if err != nil {
		t.Fatal(err)
	}
	result := command.Run(t, "doctor", "--browser", browser, "--only", tried, "--log-level", "error")
	for _, says := range []string{"names below localhost  yes", "service workers start  yes", "Contained: each of the ", "Not measured: DNS"} {
		if !strings.Contains(result.Stdout, says) {
			t.Errorf("no %q in\n%s", says, result.Stdout)
		}
	}
	if result.Status != 0 || strings.Contains(result.Stdout, "\x1b") || result.Stderr != "" {
		t.Errorf("status %d, standard error %q", result.Status, result.Stderr)
	}

	result = command.Run(t, "doctor", "--browser", browser, "--only", "^(fetch/no-cors|transport/description-udp)$", "--allow-known", "--json", "--log-level", "error")
	var view selftest.View
	if err := json.Unmarshal([]byte(result.Stdout), &view); err != nil || result.Status != 0 {
		t.Fatalf("status %d, %v: %s%s", result.Status, err, result.Stdout, result.Stderr)
	}
	if view.Verdict != selftest.VerdictKnownOpen || view.Counts[selftest.Contained] != 1 || view.Counts[selftest.KnownOpen] != 1 {
		t.Errorf("the result is %s", result.Stdout)
	}
}

// An unmeasured result is neither a success nor an escape.
func TestDoctorWithoutAResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--browser", "no-such-browser"}, 3, "no-such-browser"},
		{[]string{"--browser", "false"}, 3, "the browser ended before the test did"},
		{[]string{"--no-open", "--timeout", "100ms"}, 3, "no result within 100ms"},
		{[]string{"--addr", "0.0.0.0:0", "--no-open"}, 3, "loopback"},
		{[]string{"--only", "(", "--no-open"}, 2, "--only"},
		{[]string{"--timeout", "soon"}, 2, "soon"},
	} {
		result := command.Run(t, append([]string{"doctor"}, c.args...)...)
		if result.Status != c.status || !strings.Contains(result.Stdout+result.Stderr, c.says) {
			t.Errorf("%v: status %d, want %d with %q:\n%s%s", c.args, result.Status, c.status, c.says, result.Stdout, result.Stderr)
		}
	}
}
