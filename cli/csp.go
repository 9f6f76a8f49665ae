package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
)

type cspOfRules struct{ policyArgument }

// A sent is the JSON of rules csp.
type sent struct {
	Inner        sentHeaders    `json:"inner"`
	WorkerScript sentHeaders    `json:"workerScript"`
	Rules        []rules.Report `json:"rules"`
}

// sentHeaders are the two headers as they are sent, and what they contain.
type sentHeaders struct {
	CSP        string              `json:"contentSecurityPolicy"`
	Allowlist  string              `json:"connectionAllowlist"`
	Directives []firewall.CSPCover `json:"directives"`
	// Patterns are the ones that the rules open.
	Patterns []string `json:"patterns"`
}

// defaultSite returns the default origins of serve for one sandbox.
func defaultSite() (firewall.Site, error) {
	origins, err := server.Config{}.Origins()
	return firewall.Site{Inner: origins.Inner, Outer: origins.Outer, Embedders: origins.Embedders}, err
}

func (c *cspOfRules) Run(std streams) error {
	policy, err := c.load(std)
	if err != nil {
		return err
	}
	site, err := defaultSite()
	if err != nil {
		return err
	}
	f := firewall.New(policy)
	document := sent{headersOf(f, firewall.Inner, site), headersOf(f, firewall.WorkerScript, site), reports(policy)}
	document.Inner.Patterns = append(document.Inner.Patterns, policy.Browser().Patterns...)
	document.WorkerScript.Patterns = append(document.WorkerScript.Patterns, policy.Browser().WorkerPatterns...)
	if c.JSON {
		return printJSON(std.out, document)
	}
	return document.print(std.out)
}

func headersOf(f *firewall.Firewall, class firewall.Class, site firewall.Site) sentHeaders {
	header := f.Headers(class, site)
	h := sentHeaders{CSP: header.Get("Content-Security-Policy"), Allowlist: header.Get("Connection-Allowlist"), Patterns: []string{}}
	for _, text := range strings.Split(h.CSP, "; ") {
		name, sources, _ := strings.Cut(text, " ")
		h.Directives = append(h.Directives, firewall.CSPCover{Directive: name, Sources: strings.Fields(sources)})
	}
	return h
}

func (d *sent) print(w io.Writer) error {
	var b strings.Builder
	for _, part := range []struct {
		title   string
		headers sentHeaders
	}{{"Inner document", d.Inner}, {"Worker script", d.WorkerScript}} {
		fmt.Fprintf(&b, "%s\n  Content-Security-Policy\n", part.title)
		for _, directive := range part.headers.Directives {
			fmt.Fprintf(&b, "    %s\n", strings.Join(append([]string{directive.Directive}, directive.Sources...), " "))
		}
		b.WriteString("  Connection-Allowlist\n")
		for _, item := range strings.Fields(strings.Trim(part.headers.Allowlist, "()")) {
			fmt.Fprintf(&b, "    %s\n", item)
		}
		b.WriteByte('\n')
	}
	b.WriteString("Rules\n")
	for _, r := range d.Rules {
		fmt.Fprintf(&b, "  %s %s, held by the %s%s\n", r.Action, r.Rule, r.EnforcedBy, because(r.Wider))
		for _, s := range r.Sources {
			d.source(&b, s)
		}
	}
	if len(d.Rules) == 0 {
		b.WriteString("  none, so nothing is opened\n")
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// source prints what one alternative of a pattern became.
func (d *sent) source(b *strings.Builder, s rules.RuleSource) {
	fmt.Fprintf(b, "    %s\n", s.Target)
	if s.Dropped {
		b.WriteString("      dropped: a block rule leaves nothing of it\n")
		return
	}
	source, pattern := cmp.Or(s.WidenedSource, s.CSP), cmp.Or(s.WidenedPattern, s.Pattern)
	var sent, covered []string
	for _, name := range s.Directives {
		if slices.ContainsFunc(d.Inner.Directives, func(c firewall.CSPCover) bool { return c.Directive == name && slices.Contains(c.Sources, source) }) {
			sent = append(sent, name)
		} else {
			covered = append(covered, name)
		}
	}
	for i, names := range [][]string{sent, covered} {
		if len(names) > 0 {
			fmt.Fprintf(b, "      %s %s: %s\n", strings.Join(names, " "), source, width(s.Wider, s.WidenedSource, i == 0))
		}
	}
	fmt.Fprintf(b, "      Connection-Allowlist %s: %s\n", pattern, width(s.PatternWider, s.WidenedPattern, slices.Contains(d.Inner.Patterns, pattern)))
}

func because(wider []string) string {
	if len(wider) == 0 {
		return ""
	}
	return " (" + strings.Join(wider, "; ") + ")"
}

// width says how a source compares to its rule.
func width(wider []string, widened string, isSent bool) string {
	text := "exact"
	if len(wider) > 0 {
		text = "wider" + because(wider)
	}
	if widened != "" {
		text += ", widened for want of room in the header"
	}
	if !isSent {
		text += ", not sent by itself (another covers it, or a ceiling narrows it)"
	}
	return text
}
