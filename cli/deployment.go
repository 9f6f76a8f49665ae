package cli

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/cli/deployment"
	"github.com/bellglass/bellglass/server"
)

// deploymentFlags name a server by the addresses at which browsers find it. Flags that
// serve has too mean the same there, so that both can read one settings file.
type deploymentFlags struct {
	PublicURL         string   `group:"public" help:"Check the server at this public URL from the outside." name:"public-url" placeholder:"ORIGIN"`
	OuterHost         string   `group:"public" help:"The server's --outer-host." placeholder:"HOST"`
	InnerHost         string   `group:"public" help:"The server's --inner-host." placeholder:"TEMPLATE"`
	Embedder          []string `group:"public" help:"The server's --embedder." placeholder:"ORIGIN"`
	AllowSharedDomain bool     `group:"public" help:"Accept that a page which embeds sandboxes shares their registrable domain."`
	CA                string   `group:"public" help:"PEM file with the certificate of a further authority to trust." name:"ca" placeholder:"FILE"`
}

func (c *doctor) checkDeployment(ctx context.Context, std streams) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("the checks took longer than --timeout %s", c.Timeout))
	defer cancel()
	progress := newProgress(std.err)
	config := server.Config{PublicURL: c.PublicURL, OuterHost: c.OuterHost, InnerHost: c.InnerHost, Embedders: c.Embedder, AllowSharedDomain: c.AllowSharedDomain}
	roots, err := rootsWith(c.CA)
	if err != nil {
		return unmeasured{err}
	}
	diagnosis, err := deployment.Check(ctx, config, roots, progress.say)
	progress.end()
	if err != nil {
		return unmeasured{err}
	}
	if err := printDeployment(std.out, diagnosis, c.JSON); err != nil {
		return err
	}
	if diagnosis.Problems > 0 {
		return fmt.Errorf("the server at %s has %s", c.PublicURL, count(diagnosis.Problems, "problem"))
	}
	return nil
}

// rootsWith returns this machine's authorities plus those of a file, or nil without a
// file.
func rootsWith(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("--ca: the authorities of this machine cannot be read: %w", err)
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--ca: %s has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----", file)
	}
	return pool, nil
}

// printDeployment prints a table of the findings, and advice below it.
func printDeployment(w io.Writer, d *deployment.Diagnosis, asJSON bool) error {
	if asJSON {
		return printJSON(w, d)
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range d.Findings {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.Status, f.Check, f.Of, f.Seen)
	}
	table.Flush()
	// One fix often mends the same problem under three names.
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
