package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/selftest"
)

// print prints doctor's result.
func (c *doctor) print(w io.Writer, view *selftest.View) error {
	if c.JSON {
		return printJSON(w, view)
	}
	var b strings.Builder
	report := &view.Report
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, text string) { fmt.Fprintf(table, "%s\t%s\n", name, text) }
	line("browser", strings.Join(strings.Fields(report.Browser.Name+" "+report.Browser.Version+" "+report.Browser.Platform), " "))
	for _, each := range surroundings(report) {
		line(each[0], each[1])
	}
	table.Flush()
	b.WriteByte('\n')
	families(&b, report)
	for _, row := range report.Rows {
		switch row.Outcome {
		case selftest.Escaped:
			fmt.Fprintf(&b, "\nescaped: %s (%s)", row.Name, cmp.Or(row.Detail, "no request"))
		case selftest.KnownOpen:
			fmt.Fprintf(&b, "\nknown to be open: %s (%s)", row.Name, cmp.Or(row.Detail, "no request"))
		}
	}
	for _, stray := range report.Strays {
		fmt.Fprintf(&b, "\nescaped: one of %d techniques that began with %s", stray.Rows, stray.Batch)
	}
	if view.Counts[selftest.Escaped]+view.Counts[selftest.KnownOpen]+len(report.Strays) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nNot measured: DNS, gestures, other machines. See docs/selftest.md.\n%s\n", view.Summary)
	if report.Detail != "" {
		fmt.Fprintf(&b, "The last sandbox said: %s\n", report.Detail)
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// surroundings returns what the test needs of a browser, and whether it has it.
func surroundings(r *selftest.Report) [][2]string {
	names, sandboxes := "yes", "yes"
	switch r.Ended {
	case selftest.EndedNames:
		names, sandboxes = "no", "not known"
	case selftest.EndedNoSandbox:
		sandboxes = "no"
	case selftest.EndedNoPage, selftest.EndedPageGone, selftest.EndedCancelled:
		if r.Containment == "" {
			names, sandboxes = "not known", "not known"
		}
	}
	containment := map[string]string{
		"allowlist": "allowlist: Connection-Allowlist is enforced, which leaves WebRTC and hints that outlive their page",
		"csp":       "csp: no Connection-Allowlist in this browser", "audit": "audit: nothing is contained",
	}
	return [][2]string{
		{"names below localhost", names}, {"service workers start", sandboxes}, {"containment", cmp.Or(containment[r.Containment], "not known")},
	}
}

// families counts the outcomes of each family.
func families(b *strings.Builder, r *selftest.Report) {
	counts := map[string]map[selftest.Outcome]int{}
	var names []string
	for _, row := range r.Rows {
		family, _, _ := strings.Cut(row.Name, "/")
		if counts[family] == nil {
			counts[family], names = map[selftest.Outcome]int{}, append(names, family)
		}
		counts[family][row.Outcome]++
	}
	slices.Sort(names)
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(family string, of map[selftest.Outcome]int) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t\n", family, of[selftest.Escaped], of[selftest.KnownOpen], of[selftest.Contained], of[selftest.Unproven], of[selftest.NotRun])
	}
	fmt.Fprint(table, "family\tescaped\tknown\tcontained\tproves nothing\tnot run\t\n")
	for _, family := range names {
		line(family, counts[family])
	}
	line("all", r.Counts())
	table.Flush()
}

// A progress shows one line on a terminal, and nothing anywhere else.
type progress struct {
	w     io.Writer
	shown bool
}

func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &progress{w: f}
		}
	}
	return &progress{w: io.Discard}
}

func (p *progress) show(ran, all int) { p.say(fmt.Sprintf("%d of %d techniques", ran, all)) }

func (p *progress) say(text string) {
	p.shown = true
	fmt.Fprintf(p.w, "\r%s", text)
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
