// Package deployment looks at a server at a public address from the outside, as browsers find
// it, and says what is wrong and what to do. [Check] makes all checks. It runs nothing in a
// browser, needs no token, and changes nothing on the server.
//
// prober.go has the order of the checks; names.go looks at DNS and registrable domains, tls.go
// at the certificates, answers.go at what answers, policies.go at its headers, stream.go at the
// streams, http.go at port 80.
package deployment

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

// Check makes all checks of a server with a configuration, of which it reads the addresses
// alone. Roots are the authorities to trust, or nil for those of this machine. It tells say
// what it is doing. It fails if nothing can be said of the server, as where no name can be
// looked up, or when ctx ends.
func Check(ctx context.Context, config server.Config, roots *x509.CertPool, say func(text string)) (*Diagnosis, error) {
	p := &prober{config: config, roots: roots, lookup: net.DefaultResolver.LookupHost, dial: (&net.Dialer{}).DialContext, say: say}
	if err := p.run(ctx); err != nil {
		return nil, err
	}
	return p.diagnosis(), nil
}

// A Diagnosis is the result of all checks.
type Diagnosis struct {
	PublicURL string    `json:"publicUrl"`
	Findings  []Finding `json:"findings"`
	Problems  int       `json:"problems"` // how many of the findings
	Warnings  int       `json:"warnings"`
}

func (p *prober) diagnosis() *Diagnosis {
	d := &Diagnosis{PublicURL: p.config.PublicURL, Findings: p.findings}
	for _, f := range p.findings {
		switch f.Status {
		case Problem:
			d.Problems++
		case Warning:
			d.Warnings++
		}
	}
	return d
}

// A prober looks at a server as a program. Tests replace the functions by which it reaches
// the network.
type prober struct {
	config server.Config
	roots  *x509.CertPool // nil for those of this machine
	lookup func(ctx context.Context, host string) ([]string, error)
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	say    func(text string) // progress

	origins  server.Origins
	id       string  // of no sandbox
	sites    []*site // the host page, the outer frame, a sandbox
	findings []Finding
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

// A Status is what a finding comes to.
type Status string

const (
	OK      Status = "ok"
	Note    Status = "note" // nothing is wrong, and yet it is good to know
	Warning Status = "warning"
	Problem Status = "problem"
	Skipped Status = "skipped" // an earlier problem hides it
)

// A Finding is one row of the result.
type Finding struct {
	Status Status `json:"status"`
	Check  string `json:"check"` // its name
	Of     string `json:"of"`    // the origin or host name
	Seen   string `json:"seen"`
	Advice string `json:"advice,omitempty"` // what to do
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
	f := Finding{Check: "configuration", Of: p.config.PublicURL}
	if p.origins, err = p.config.Origins(); err != nil {
		f.Seen, f.Advice = strings.TrimPrefix(err.Error(), "server: "), "Correct the flags here, and those of serve."
		p.add(Problem, f)
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
	p.add(OK, f)
	return nil
}

func (p *prober) add(s Status, f Finding) {
	f.Status = s
	p.findings = append(p.findings, f)
}

// skip notes that a check of a site was not possible.
func (p *prober) skip(check string, s *site) {
	p.add(Skipped, Finding{Check: check, Of: s.template, Seen: s.down})
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
