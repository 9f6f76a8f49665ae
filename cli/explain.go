package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

type explainRules struct {
	policyArgument
	Method string `arg:"" help:"Request method, in upper case."`
	URL    string `arg:"" name:"url" help:"URL that the page requests."`
	Type   string `help:"Request type: fetch, script, style, image, font, media, frame, worker or websocket. Default: websocket for a ws or wss URL, else fetch." placeholder:"TYPE"`
}

// Validate is called after the command line has been parsed.
func (c *explainRules) Validate() error {
	_, err := c.request()
	return err
}

func (c *explainRules) request() (firewall.Request, error) {
	return rules.ParseRequest(c.Method, c.URL, c.Type)
}

// Run prints the verdict. A block is not a failure of the command.
func (c *explainRules) Run(std streams) error {
	policy, err := c.load(std)
	if err != nil {
		return err
	}
	request, err := c.request()
	if err != nil {
		return err
	}
	explanation := firewall.New(policy).Explain(request)
	if c.JSON {
		return printJSON(std.out, explanation)
	}
	return printExplanation(std.out, request, explanation)
}

func printExplanation(w io.Writer, r firewall.Request, e firewall.Explanation) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, oneLine(fmt.Sprintf(format, args...)))
	}
	row(e.Verdict.String(), "%s %s (%s)", r.Method, r.URL, r.Type)
	if e.Rule != "" {
		row("rule", "%s (%s:%d)", e.Rule, e.File, e.Line)
	} else {
		row("rule", "none (%s)", e.Code)
	}
	row("reason", "%s", e.Reason)
	row("canonical URL", "%s", e.CanonicalURL)
	for _, m := range e.Matches {
		row("matches", "%s %s (%s:%d)", m.Action, m.Rule, m.File, m.Line)
	}
	if len(e.Matches) == 0 {
		row("matches", "no rule")
	}
	covers(row, e.CSP.Directive, e.CSP.Sources)
	covers(row, "Connection-Allowlist", e.ConnectionAllowlist)
	row("enforced by", "%s", enforcement(e))
	if e.Verdict == rules.Allow && len(e.ConnectionAllowlist) == 0 {
		row("but", "a browser with Connection-Allowlist blocks it: no pattern has the path as it is spelled here")
	}
	table.Flush()
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

func covers(row func(name, format string, args ...any), name string, all []string) {
	for _, one := range all {
		row(name, "%s lets it through", one)
	}
	if len(all) == 0 {
		row(name, "nothing lets it through")
	}
}

// enforcement says who enforces the verdict, and what remains without a worker.
func enforcement(e firewall.Explanation) string {
	switch {
	case e.Verdict == rules.Allow && e.Report == nil:
		return "nobody: the policy only audits"
	case e.Verdict == rules.Allow && e.EnforcedBy == rules.EnforcedByBrowser:
		return "the browser, whose policies are just as wide as the rule"
	case e.Verdict == rules.Allow:
		return "the worker; the browser's policies are wider than the rule: " + strings.Join(e.Report.Wider, "; ")
	case e.EnforcedBy == "":
		return "nobody: it is no request, and never leaves the browser"
	case e.EnforcedBy == rules.EnforcedByBrowser:
		return "the browser, also where there is no worker"
	case len(e.ConnectionAllowlist) == 0:
		return "the worker; the browser only if it has Connection-Allowlist, since the source is wider than the rules"
	}
	return "the worker only; the browser's policies are wider than the rules"
}
