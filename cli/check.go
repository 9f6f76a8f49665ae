package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

type checkRules struct{ policyArgument }

// A checked is the JSON of rules check. It is complete for a rejected policy too.
type checked struct {
	Valid    bool           `json:"valid"`
	Errors   []mistake      `json:"errors"`
	Warnings []mistake      `json:"warnings"`
	Files    []string       `json:"files"`
	Tests    int            `json:"tests"`
	Rules    []rules.Report `json:"rules"`
	// Worker is required or preferred. If it is preferred, NotWithoutWorker are the
	// rules that allow nothing in a browser without the worker.
	Worker           rules.Worker `json:"worker"`
	NotWithoutWorker []string     `json:"notWithoutWorker"`
	Headers          headerSizes  `json:"headers"`
}

type mistake struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// headerSizes says how much of each header the rules take.
type headerSizes struct {
	Budget int `json:"budget"`
	browser.Sizes
}

func (c *checkRules) Run(std streams) error {
	policy, err := c.load(std)
	mistakes, wrong := errors.AsType[rules.Errors](err)
	switch {
	case wrong && c.JSON:
		return errors.Join(refused(mistakes), printJSON(std.out, checked{
			Errors: mistakesOf(mistakes), Warnings: []mistake{}, Files: []string{}, Rules: []rules.Report{}, Worker: rules.WorkerRequired, NotWithoutWorker: []string{}, Headers: headerSizes{Budget: browser.HeaderBudget},
		}))
	case err != nil:
		return err
	}
	document := checked{Valid: true, Errors: []mistake{}, Files: []string{}, Tests: len(policy.Tests), Rules: reports(policy), Headers: headerSizes{browser.HeaderBudget, policy.Browser().Sizes()}}
	document.Worker = cmp.Or(policy.Worker, rules.WorkerRequired)
	document.NotWithoutWorker = append([]string{}, policy.NeedWorker()...)
	for _, layer := range policy.Layers {
		document.Files = append(document.Files, layer.File)
	}
	warnings := c.quote(policy.Warnings())
	if document.Warnings = mistakesOf(warnings); c.JSON {
		return printJSON(std.out, document)
	}
	for _, w := range warnings {
		w.Msg = "warning: " + w.Msg
	}
	return document.print(std.out, policy, rules.Errors(warnings))
}

func mistakesOf(all []*rules.Error) []mistake {
	list := make([]mistake, len(all))
	for i, e := range all {
		list[i] = mistake{e.File, e.Line, e.Col, e.Msg, e.Hint}
	}
	return list
}

func reports(policy *rules.Policy) []rules.Report {
	reporter := rules.NewReporter(policy)
	all := make([]rules.Report, len(policy.Rules))
	for i := range all {
		all[i] = reporter.Report(i)
		for j := range all[i].Sources {
			if s := &all[i].Sources[j]; s.PatternWider == nil {
				s.PatternWider = []string{}
			}
		}
	}
	return all
}

func (d *checked) print(w io.Writer, policy *rules.Policy, warnings rules.Errors) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range d.Rules {
		exact, why := "exact", ""
		if len(r.Wider) > 0 {
			exact, why = "wider", "\t"+strings.Join(r.Wider, "; ")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s%s\n", r.Rule, r.Action, exact, r.EnforcedBy, why)
	}
	table.Flush()
	if len(d.Rules) > 0 {
		b.WriteByte('\n')
	}
	if len(warnings) > 0 {
		b.WriteString(warnings.Pretty() + "\n")
	}
	if policy.Mode == rules.ModeAudit {
		b.WriteString("mode: audit contains nothing: what no rule matches is let through and logged\n")
	}
	switch policy.Containment {
	case rules.ContainmentAllowlist:
		b.WriteString("containment: allowlist: nothing runs in a browser without Connection-Allowlist\n")
	case rules.ContainmentFull:
		b.WriteString("containment: full: nothing runs in a browser out of which anything gets, which is every browser that is known\n")
	}
	if policy.Worker == rules.WorkerPreferred {
		b.WriteString("worker: preferred: runs in a browser without a service worker, too, where nobody logs requests\n")
		if len(d.NotWithoutWorker) > 0 {
			fmt.Fprintf(&b, "  there these allow nothing, since only the worker holds them: %s\n", listed(d.NotWithoutWorker))
		}
	}
	withoutAllowlist(&b, d.Rules)
	widened(&b, d.Rules)
	fmt.Fprintf(&b, "Content-Security-Policy: %s, %d of %d bytes\n", count(d.Headers.CSP.Entries, "source"), d.Headers.CSP.Bytes, d.Headers.Budget)
	fmt.Fprintf(&b, "Connection-Allowlist: %s, %d of %d bytes\n", count(d.Headers.ConnectionAllowlist.Entries, "pattern"), d.Headers.ConnectionAllowlist.Bytes, d.Headers.Budget)
	fmt.Fprintf(&b, "valid: %s, %s, %s, %s\n", count(len(d.Rules), "rule"), count(len(d.Files), "file"), count(d.Tests, "test"), count(len(d.Warnings), "warning"))
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// withoutAllowlist lists the rules that are wider in some browsers, below the reason.
func withoutAllowlist(b *strings.Builder, all []rules.Report) {
	var reasons []string
	ids := map[string][]string{}
	for _, r := range all {
		for _, why := range r.WithoutAllowlist {
			if ids[why] == nil {
				reasons = append(reasons, why)
			}
			ids[why] = append(ids[why], r.Rule)
		}
	}
	if len(reasons) > 0 {
		b.WriteString("wider in browsers without Connection-Allowlist, which containment: allowlist refuses:\n")
	}
	for _, why := range reasons {
		fmt.Fprintf(b, "  %s: %s\n", why, listed(ids[why]))
	}
}

// shown is how many entries of a long list are printed. --json lists all.
const shown = 20

func listed(all []string) string {
	if len(all) <= shown {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more, which --json lists", strings.Join(all[:shown], ", "), len(all)-shown)
}

// widened lists the sources that were widened, below the source that replaced them.
func widened(b *strings.Builder, all []rules.Report) {
	var wide []string
	narrow, seen := map[string][]string{}, map[string]bool{}
	for _, r := range all {
		for _, s := range r.Sources {
			for _, change := range [][2]string{{s.CSP, s.WidenedSource}, {s.Pattern, s.WidenedPattern}} {
				from, to := change[0], change[1]
				if to == "" || seen[from] {
					continue
				}
				seen[from] = true
				if narrow[to] == nil {
					wide = append(wide, to)
				}
				narrow[to] = append(narrow[to], from)
			}
		}
	}
	for _, to := range wide {
		fmt.Fprintf(b, "widened to %s, for want of room:\n", to)
		for i, from := range narrow[to] {
			if i == shown {
				fmt.Fprintf(b, "  and %d more, which --json lists\n", len(narrow[to])-i)
				break
			}
			fmt.Fprintf(b, "  %s\n", from)
		}
	}
}
