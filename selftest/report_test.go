package selftest

import (
	"regexp"
	"testing"

	"github.com/bellglass/bellglass/escape"
)

func TestVerdict(t *testing.T) {
	row := func(outcome Outcome, why Why) Row { return Row{Name: "a/b", Outcome: outcome, Why: why} }
	contained, escaped, unproven, known := row(Contained, ""), row(Escaped, ""), row(Unproven, ""), row(KnownOpen, "")
	for _, c := range []struct {
		name   string
		report Report
		want   Verdict
	}{
		{"nothing", Report{}, VerdictUnmeasured},
		{"contained", Report{Rows: []Row{contained, unproven, row(NotRun, WhyGesture)}}, VerdictContained},
		{"nothing arrives", Report{Rows: []Row{unproven, unproven}}, VerdictUnmeasured},
		{"one escape", Report{Rows: []Row{contained, contained, escaped}}, VerdictEscaped},
		{"an escape of a run that was cancelled", Report{Ended: EndedCancelled, Rows: []Row{escaped}}, VerdictEscaped},
		{"what is known to be open", Report{Rows: []Row{contained, known}}, VerdictKnownOpen},
		{"an escape beside what is known", Report{Rows: []Row{contained, known, escaped}}, VerdictEscaped},
		{"known, and a stray", Report{Rows: []Row{contained, known}, Strays: []Stray{{}}}, VerdictEscaped},
		{"known, and nothing contained", Report{Rows: []Row{known}}, VerdictUnmeasured},
		{"a stray", Report{Rows: []Row{contained}, Strays: []Stray{{}}}, VerdictEscaped},
		{"cancelled", Report{Ended: EndedCancelled, Rows: []Row{contained}}, VerdictUnmeasured},
		{"more fails than is proved", Report{Rows: []Row{contained, row(NotRun, WhyFailed), row(NotRun, WhyFailed)}}, VerdictUnmeasured},
	} {
		if got := c.report.Verdict(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if c.report.Summary() == "" {
			t.Errorf("%s has no words", c.name)
		}
	}
}

func TestBrowserOf(t *testing.T) {
	for agent, want := range map[string]Browser{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36":                         {"Chrome or Chromium", "156.0.0.0", "Linux"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0": {"Edge", "156.0.0.0", "Windows"},
		"Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0":                                                        {"Firefox", "153.0", "Linux"},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15":         {"Safari or WebKit", "26.0", "macOS"},
		"Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36":               {"Chrome or Chromium", "156.0.0.0", "Android"},
		"":               {"unknown browser", "", ""},
		"<script>\u202e": {"unknown browser", "", ""},
	} {
		if got := browserOf(agent); got != want {
			t.Errorf("%q is %+v, want %+v", agent, got, want)
		}
	}
}

func TestEngineOf(t *testing.T) {
	for agent, want := range map[string]escape.Engine{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0":                        escape.Chromium,
		"Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0":                                                                     escape.Firefox,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15":                      escape.WebKitGTK,
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1": escape.WebKitGTK,
		"curl/8": "",
	} {
		if got := engineOf(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

// A technique counts as known to get out only in its engine, and only to the known extent.
func TestKnownOpen(t *testing.T) {
	for _, c := range []struct {
		name   string
		engine escape.Engine
		row    string
		sent   string
		want   Outcome
	}{
		{"known", escape.Chromium, "transport/description-udp", seenDatagram, KnownOpen},
		{"more than is known", escape.Chromium, "transport/description-udp", seenHTTP, Escaped},
		{"another engine", escape.Firefox, "transport/description-udp", seenDatagram, Escaped},
		{"no engine", "", "transport/description-udp", seenDatagram, Escaped},
		{"another row", escape.Chromium, "fetch/no-cors", seenDatagram, Escaped},
		{"nothing", escape.Chromium, "transport/description-udp", "", Unproven},
	} {
		p, err := makePlan(regexp.MustCompile("^" + c.row + "$"))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.forEngine(c.engine); err != nil {
			t.Fatal(err)
		}
		visit := func() *visit {
			trap := startTrap(t)
			t.Cleanup(trap.close)
			return &visit{batch: p.batches[0], trap: trap, tokens: map[string]string{c.row: "one"}}
		}
		glass, control := visit(), visit()
		if c.sent != "" {
			glass.trap.note("", c.sent, "")
		}
		rows := results(glass, control, p.known)
		if len(rows) != 1 || rows[0].Outcome != c.want {
			t.Errorf("%s: %+v, want %s", c.name, rows, c.want)
		}
		_, listed := p.known[c.row]
		if got, want := p.again(rows), listed && c.sent == ""; got != want {
			t.Errorf("%s: again is %v, want %v", c.name, got, want)
		}
	}
}

// Every ending has a sentence.
func TestNothingIsWithoutWords(t *testing.T) {
	for ended, words := range Endings {
		if words == "" || ended.Error() != words {
			t.Errorf("%q has the words %q", ended, words)
		}
	}
}
