package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/bellglass/bellglass/server"
)

// A prober looks at a server from the outside, as a program. Tests replace the functions
// by which it reaches the network.
type prober struct {
	config server.Config
	roots  *x509.CertPool // nil for those of this machine
	lookup func(ctx context.Context, host string) ([]string, error)
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	say    func(text string) // progress

	origins  server.Origins
	id       string  // of no sandbox
	sites    []*site // the host page, the outer frame, a sandbox
	findings []finding
}

// A site is one of the three names under which a server is found.
type site struct {
	part     part
	template string  // the origin as [server.Origins] has it
	url      url.URL // the origin, of a sandbox that nobody has
	down     string  // why nothing more can be seen there; empty if it can
}

// A part is whose name a site is, as the result calls it.
type part string

const (
	pagePart  part = "host page"
	outerPart part = "outer frame"
	innerPart part = "sandbox"
)

// A status is what a finding comes to.
type status string

const (
	statusOK      status = "ok"
	statusNote    status = "note" // nothing is wrong, and yet it is good to know
	statusWarning status = "warning"
	statusProblem status = "problem"
	statusSkipped status = "skipped" // an earlier problem hides it
)

// A finding is one row of the result.
type finding struct {
	Status status `json:"status"`
	Check  string `json:"check"`
	Of     string `json:"of"` // the origin or host name
	Seen   string `json:"seen"`
	Advice string `json:"advice,omitempty"`
}

// run makes all checks. It fails if nothing can be said of the server.
func (p *prober) run(ctx context.Context) error {
	if err := p.checkConfiguration(); err != nil {
		return err
	}
	if p.sites == nil {
		return nil // the configuration is the problem
	}
	if err := p.checkNames(ctx); err != nil {
		return err
	}
	checks := []func(context.Context){p.checkCertificates, p.checkAnswers, p.checkStreams, p.checkPlainHTTP}
	for _, check := range checks {
		check(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	p.checkDomain()
	return nil
}

func (p *prober) checkConfiguration() (err error) {
	f := finding{Check: "configuration", Of: p.config.PublicURL}
	if p.origins, err = p.config.Origins(); err != nil {
		f.Seen, f.Advice = strings.TrimPrefix(err.Error(), "server: "), "Correct the flags here, and those of serve."
		p.add(statusProblem, f)
		return nil
	}
	p.id = server.NewID()
	for _, each := range []site{{part: pagePart, template: p.origins.Page}, {part: outerPart, template: p.origins.Outer}, {part: innerPart, template: p.origins.Inner}} {
		u, err := url.Parse(strings.Replace(each.template, "{id}", p.id, 1))
		if err != nil {
			return errors.Join(fmt.Errorf("the origin %s", each.template), err)
		}
		each.url = *u
		p.sites = append(p.sites, &each)
	}
	f.Seen = fmt.Sprintf("outer frame at %s, sandboxes at %s", p.origins.Outer, p.origins.Inner)
	p.add(statusOK, f)
	return nil
}

func (p *prober) add(s status, f finding) {
	f.Status = s
	p.findings = append(p.findings, f)
}

// skip notes that a check of a site was not possible.
func (p *prober) skip(check string, s *site) {
	p.add(statusSkipped, finding{Check: check, Of: s.template, Seen: s.down})
}

// connect dials a name. Names below localhost are this machine's, though not every
// resolver knows them.
func (p *prober) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if server.IsLoopbackName(host) && net.ParseIP(host) == nil {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return p.dial(ctx, network, net.JoinHostPort(host, port))
}

// patience is how long one connection or one answer may take.
const patience = 10 * time.Second
