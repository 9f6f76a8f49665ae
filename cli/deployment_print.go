package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A deploymentDiagnosis is what doctor prints of a server at a public URL.
type deploymentDiagnosis struct {
	PublicURL string    `json:"publicUrl"`
	Findings  []finding `json:"findings"`
	Problems  int       `json:"problems"`
	Warnings  int       `json:"warnings"`
}

func (p *prober) diagnosis() *deploymentDiagnosis {
	d := &deploymentDiagnosis{PublicURL: p.config.PublicURL, Findings: p.findings}
	for _, f := range p.findings {
		switch f.Status {
		case statusProblem:
			d.Problems++
		case statusWarning:
			d.Warnings++
		}
	}
	return d
}

// print writes a table of what was seen, and below it what to do.
func (d *deploymentDiagnosis) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, d)
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range d.Findings {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.Status, f.Check, f.Of, f.Seen)
	}
	table.Flush()
	// What is wrong under three names is often to be mended once.
	var advices []string
	of := map[string][]string{}
	for _, f := range d.Findings {
		if f.Advice == "" {
			continue
		}
		if of[f.Advice] == nil {
			advices = append(advices, f.Advice)
		}
		of[f.Advice] = append(of[f.Advice], f.Check+" "+f.Of)
	}
	if len(advices) > 0 {
		b.WriteString("\nWhat to do:\n")
	}
	for _, advice := range advices {
		fmt.Fprintf(&b, "- %s\n  (%s)\n", advice, listed(of[advice]))
	}
	fmt.Fprintf(&b, "\n%s, %s\n", count(d.Problems, "problem"), count(d.Warnings, "warning"))
	_, err := io.WriteString(w, printable(b.String()))
	return err
}
