package selftest

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bellglass/bellglass/escape"
)

// An Outcome is the result of one technique.
type Outcome string

const (
	// Escaped: it reached the canary from under glass, and is not known to do so.
	Escaped Outcome = "escaped"
	// KnownOpen: it reached the canary from under glass, as it is known to do in this engine
	// ([escape.Known]), and no more arrived than is known.
	KnownOpen Outcome = "known-open"
	// Contained: in this browser it reached the canary without glass, and did not from under
	// it.
	Contained Outcome = "contained"
	// Unproven: it reached the canary neither way, so it proves nothing in this browser.
	Unproven Outcome = "unproven"
	// NotRun: it was left out, or did not run to its end; see [Why].
	NotRun Outcome = "not-run"
)

// A Row is the result of one technique.
type Row struct {
	Name    string  `json:"name"` // FAMILY/NAME
	Outcome Outcome `json:"outcome"`
	// Seen is what the canary saw from under glass, and Control what it saw without.
	Seen    Seen `json:"seen" ts:"string"`
	Control Seen `json:"control" ts:"string"`
	Why     Why  `json:"why"` // for NotRun
	// Detail is the first request of an escape, or why a page failed.
	Detail string `json:"detail"`
}

// A Stray is something that reached the port of a page under glass and did not name the
// technique that sent it.
type Stray struct {
	Batch string `json:"batch"` // the page's first technique
	Rows  int    `json:"rows"`
	Seen  Seen   `json:"seen" ts:"string"`
}

// A Browser is what a browser says about itself.
type Browser struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Platform string `json:"platform"`
}

// Ended says why a run ended early. It is "" if the run completed.
type Ended string

const (
	EndedCancelled Ended = "cancelled"
	EndedTimeLimit Ended = "time-limit"
	EndedPageGone  Ended = "page-gone"
	EndedNoPage    Ended = "no-page"
	EndedNames     Ended = "names"
	EndedNoSandbox Ended = "no-sandbox"
)

// Endings has a sentence for each of them.
var Endings = map[Ended]string{
	EndedCancelled: "The run was cancelled.",
	EndedTimeLimit: "The run reached its time limit.",
	EndedPageGone:  "The page of the run was closed or reloaded.",
	EndedNoPage:    "No browser opened the page of the run.",
	EndedNames:     "This browser does not take names below localhost to your own machine, and the test needs such names. Some versions of Safari, proxies and DNS filters do not; another browser will.",
	EndedNoSandbox: "No sandbox started in this browser. The usual reason is that it refuses service workers or storage in frames: a private window, or a setting that blocks third-party cookies.",
}

// Error makes an Ended usable as the cause of a canceled context.
func (e Ended) Error() string { return Endings[e] }

// containments are the levels of enforcement that a sandbox's boot can find in a browser.
var containments = []string{"allowlist", "csp", "audit"}

// A Report is the result of a run.
type Report struct {
	Bellglass   string    `json:"bellglass"` // version
	Browser     Browser   `json:"browser"`
	Started     time.Time `json:"started"`
	Seconds     int       `json:"seconds"`
	Containment string    `json:"containment"` // one of containments, or "" if no sandbox reported one
	Ended       Ended     `json:"ended"`
	Detail      string    `json:"detail"` // details of Ended
	Rows        []Row     `json:"rows"`   // by name
	Strays      []Stray   `json:"strays"`
}

// Counts returns the number of rows with each outcome.
func (r *Report) Counts() map[Outcome]int {
	counts := map[Outcome]int{Escaped: 0, KnownOpen: 0, Contained: 0, Unproven: 0, NotRun: 0}
	for _, row := range r.Rows {
		counts[row.Outcome]++
	}
	return counts
}

// Failed returns the number of rows that were tried and did not run to their end.
func (r *Report) Failed() int {
	n := 0
	for _, row := range r.Rows {
		if row.Why == WhyFailed {
			n++
		}
	}
	return n
}

// A View is a report with its verdict, summary, and counts, ready to be shown.
type View struct {
	Verdict Verdict         `json:"verdict"`
	Summary string          `json:"summary"`
	Counts  map[Outcome]int `json:"counts"`
	Report  Report          `json:"report"`
}

// View returns the report in the form in which it is shown.
func (r *Report) View() *View {
	return &View{r.Verdict(), r.Summary(), r.Counts(), *r}
}

// A Verdict is the conclusion of a report. The zero value claims nothing good.
type Verdict string

const (
	VerdictUnmeasured Verdict = "unmeasured"
	VerdictEscaped    Verdict = "escaped"
	VerdictKnownOpen  Verdict = "known-open"
	VerdictContained  Verdict = "contained"
)

// Verdict returns "contained" only if the run completed, something was proved, more was proved
// than failed to run, and nothing got out. It returns "known-open" if the only obstacles to
// "contained" are techniques that are known to get out.
func (r *Report) Verdict() Verdict {
	counts := r.Counts()
	switch {
	case counts[Escaped] > 0 || len(r.Strays) > 0:
		return VerdictEscaped
	case r.Ended != "" || counts[Contained] == 0 || r.Failed() > counts[Contained]:
		return VerdictUnmeasured
	case counts[KnownOpen] > 0:
		return VerdictKnownOpen
	}
	return VerdictContained
}

// Summary returns the verdict in one sentence.
func (r *Report) Summary() string {
	counts := r.Counts()
	switch r.Verdict() {
	case VerdictContained:
		return fmt.Sprintf("Contained: each of the %d techniques that get out of an undefended page in this browser was stopped.", counts[Contained])
	case VerdictKnownOpen:
		return fmt.Sprintf("Known to be open: %s got out, as is known of this browser's engine. Each of the %d others that get out of an undefended page was stopped.",
			plural(counts[KnownOpen], "technique", "techniques"), counts[Contained])
	case VerdictEscaped:
		if counts[Escaped] == 0 {
			return fmt.Sprintf("Something got out: %s reached the canary from under glass, and nothing says which technique sent it.", plural(len(r.Strays), "connection or datagram", "connections or datagrams"))
		}
		return fmt.Sprintf("Something got out: %s reached the canary from under glass.", plural(counts[Escaped], "technique", "techniques"))
	}
	switch {
	case r.Ended != "":
		return "Not measured: " + lowerFirst(Endings[r.Ended])
	case counts[Contained] == 0:
		return "Not measured: nothing reached the canary without glass either, so that nothing can be concluded."
	}
	return fmt.Sprintf("Not measured: %d techniques did not run to their end, more than did.", r.Failed())
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

// maxDetail bounds the stored length of texts from outside, in bytes.
const maxDetail = 160

// clip makes a text from outside fit for one line: printable and bounded.
func clip(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if len(s) <= limit {
		return s
	}
	end := limit - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// browsers are looked for in a User-Agent in this order, because most name others as well. A
// brand that the User-Agent does not show, such as Brave, counts as its engine's browser.
var browsers = []struct {
	name    string
	version *regexp.Regexp
}{
	{"Edge", regexp.MustCompile(`Edg(?:A|iOS)?/(\d[\d.]*)`)},
	{"Opera", regexp.MustCompile(`OPR/(\d[\d.]*)`)},
	{"Samsung Internet", regexp.MustCompile(`SamsungBrowser/(\d[\d.]*)`)},
	{"Firefox", regexp.MustCompile(`(?:Firefox|FxiOS)/(\d[\d.]*)`)},
	{"Chrome or Chromium", regexp.MustCompile(`(?:Chrome|CriOS)/(\d[\d.]*)`)},
	{"Safari or WebKit", regexp.MustCompile(`Version/(\d[\d.]*).*Safari/`)},
}

var platforms = []struct{ mark, name string }{
	{"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iPadOS"}, {"Windows", "Windows"}, {"Macintosh", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
}

// engineOf reads a User-Agent. On iOS every browser is WebKit. An unknown browser has no
// engine, and no techniques are known to get out of it.
func engineOf(agent string) escape.Engine {
	switch name := browserOf(agent).Name; {
	case strings.Contains(agent, "iPhone"), strings.Contains(agent, "iPad"), strings.HasPrefix(name, "Safari"):
		return escape.WebKitGTK
	case name == "Firefox":
		return escape.Firefox
	case strings.Contains(agent, "Chrome/"):
		return escape.Chromium
	}
	return ""
}

// browserOf reads a User-Agent. A browser is free to write anything into it.
func browserOf(agent string) Browser {
	b := Browser{Name: "unknown browser"}
	for _, each := range browsers {
		if m := each.version.FindStringSubmatch(agent); m != nil {
			b.Name, b.Version = each.name, clip(m[1], maxVersion)
			break
		}
	}
	for _, each := range platforms {
		if strings.Contains(agent, each.mark) {
			b.Platform = each.name
			break
		}
	}
	return b
}

const maxVersion = 32
