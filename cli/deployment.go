package cli

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/bellglass/bellglass/server"
)

// deploymentFlags name a server by the addresses at which browsers find it. Those that
// serve has, too, mean the same there, so that one settings file is for both.
type deploymentFlags struct {
	PublicURL         string   `help:"Check the server at this public URL from the outside, and run nothing in a browser." name:"public-url" placeholder:"ORIGIN"`
	OuterHost         string   `help:"With --public-url: the server's host name of the outer frame." placeholder:"HOST"`
	InnerHost         string   `help:"With --public-url: the server's template of the sandboxes' host names." placeholder:"TEMPLATE"`
	Embedder          []string `help:"With --public-url: further origin whose pages embed sandboxes." placeholder:"ORIGIN"`
	AllowSharedDomain bool     `help:"With --public-url: accept that a page which embeds sandboxes has their registrable domain."`
	CA                string   `help:"With --public-url: PEM file with the certificate of an authority to trust besides those of this machine." name:"ca" placeholder:"FILE"`
}

func (c *doctor) checkDeployment(ctx context.Context, std streams) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("the checks took longer than --timeout %s", c.Timeout))
	defer cancel()
	progress := newProgress(std.err)
	p := &prober{
		config: server.Config{PublicURL: c.PublicURL, OuterHost: c.OuterHost, InnerHost: c.InnerHost, Embedders: c.Embedder, AllowSharedDomain: c.AllowSharedDomain},
		lookup: net.DefaultResolver.LookupHost, dial: (&net.Dialer{}).DialContext, say: progress.say,
	}
	var err error
	if p.roots, err = rootsWith(c.CA); err != nil {
		return unmeasured{err}
	}
	err = p.run(ctx)
	progress.end()
	if err != nil {
		return unmeasured{err}
	}
	d := p.diagnosis()
	if err := d.print(std.out, c.JSON); err != nil {
		return err
	}
	if d.Problems > 0 {
		return fmt.Errorf("the server at %s has %s", c.PublicURL, count(d.Problems, "problem"))
	}
	return nil
}

// rootsWith returns this machine's authorities and those of a file; nil without one.
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
