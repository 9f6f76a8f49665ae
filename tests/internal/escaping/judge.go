package escaping

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
)

// details is what to look at first if something got out. What arrives a minute after
// its page may have come by another way than what arrives at once.
func (s *suite) details(token string) string {
	s.mu.Lock()
	begun := s.begun[token]
	s.mu.Unlock()
	var b strings.Builder
	for _, h := range s.net.Hits(token) {
		fmt.Fprintf(&b, "\n\tafter %v: %s %s %s%s %.80q", h.Time.Sub(begun).Round(time.Millisecond), h.Kind, h.Method, h.Host, h.Path, h.Body)
		for _, name := range []string{"Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "Sec-Purpose", "Referer"} {
			if value := h.Header.Get(name); value != "" {
				fmt.Fprintf(&b, " %s=%s", name, value)
			}
		}
	}
	return b.String()
}

// mostReopened is how many controls of a run may receive no gesture in their first page.
const mostReopened = 2

// judge compares what arrived with what may arrive. It prints the table only on
// request: in the output of a failed run, hundreds of rows would hide the one that
// counts.
func (s *suite) judge(t *testing.T, rows []escape.Row, columns []column) {
	var table, learned, learnedUnproven strings.Builder
	fmt.Fprintf(&table, "%-46s", "row")
	for _, c := range columns {
		fmt.Fprintf(&table, " %-24s", c.name)
	}
	fmt.Fprintf(&table, " %s\n", control.name)
	arrived, without, still := 0, 0, 0
	for _, r := range rows {
		fmt.Fprintf(&table, "%-46s", r.Name)
		leak, isOpen := s.known.Leaks[r.Name]
		out := ""
		for _, c := range append(slices.Clone(columns), control) {
			token := s.token(r, c)
			seen := s.net.Seen(token)
			note := ""
			if e := s.endOf(token); e.End != "" && e.End != "done" {
				note = " (" + e.End + ")"
				if e.Text != "" && c.letter == control.letter {
					note = " (" + e.End + ": " + e.Text + ")"
				}
				if strings.HasPrefix(e.Text, "Error: BREACH:") && c.letter != control.letter {
					t.Errorf("%s with defenses, %s: %s", r.Name, c.name, e.Text)
				}
			}
			fmt.Fprintf(&table, " %-24s", seen+note)
			switch {
			case c.letter != control.letter:
				out += seen
				if more := leak.Beyond(seen); more != "" && !*learn {
					t.Errorf("%s got out under %s (%s): %s%s", r.Name, c.name, r.About, more, s.details(token))
				}
			case seen == "":
				without++
			default:
				arrived++
				// The recorded reasons were found for Chromium.
				if why := r.Without[s.engine]; why != "" && !r.Seldom && s.engine == escape.Chromium {
					t.Errorf("%s is said to have no control (%s), and it arrives: %s", r.Name, why, seen)
				}
			}
		}
		table.WriteString("\n")
		if *learn && out != "" {
			fmt.Fprintf(&learned, "%s %s\n", r.Name, out)
		}
		if *learn && s.net.Seen(s.token(r, control)) == "" && r.Without[s.engine] == "" {
			fmt.Fprintf(&learnedUnproven, "%s\n", r.Name)
		}
		switch {
		case isOpen && out != "":
			still++
		case isOpen && !leak.Sometimes && !s.app: // an app's policy allows fewer frames, and so has fewer leaks
			t.Errorf("%s is listed as open in %s (%s), and it is closed: take it off the list and out of the documentation", r.Name, s.engine, leak.Group)
		}
	}
	if testing.Verbose() {
		t.Log(table.String())
	}
	t.Logf("%d rows; %d get out, as is known of this engine; %d arrive without defenses, and %d do not, which prove nothing", len(rows), still, arrived, without)
	if len(s.reopened) > mostReopened {
		t.Errorf("%d controls received no gesture, and were opened again; %d are the most: %s", len(s.reopened), mostReopened, strings.Join(s.reopened, " "))
	}
	if s.app {
		t.Logf("%d of %d views had no worker: %s", len(s.workerless), s.preferring, strings.Join(s.workerless, " "))
	}
	if s.lacks && len(s.workerless) < s.preferring {
		t.Errorf("%d of %d views had a worker", s.preferring-len(s.workerless), s.preferring)
	}
	if *only == "" && !s.lacks && !s.sample && arrived < 170 {
		t.Errorf("%d controls arrive; 170 are the least", arrived)
	}
	if *learn {
		t.Logf("escape/open/%s.txt:\n[?]\n%s[without control]\n%s", s.engine, learned.String(), learnedUnproven.String())
	}
	names := map[string]int{}
	for _, h := range s.net.Strays() {
		names[h.Kind+" "+h.Host]++
	}
	t.Logf("for no row, by the browser itself: %v", names)
}
