package selftest

import "testing"

func TestVerdict(t *testing.T) {
	row := func(outcome Outcome, why Why) Row { return Row{Name: "a/b", Outcome: outcome, Why: why} }
	contained, escaped, unproven := row(Contained, ""), row(Escaped, ""), row(Unproven, "")
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

// Every outcome, ending and reason has its words and its place in a link.
func TestNothingIsWithoutWords(t *testing.T) {
	for ended, words := range Endings {
		if words == "" || ended.Error() != words {
			t.Errorf("%q has the words %q", ended, words)
		}
	}
	for _, outcome := range []Outcome{Escaped, Contained, Unproven, NotRun} {
		if letters[outcome] == "" {
			t.Errorf("%q has no letter", outcome)
		}
	}
}
