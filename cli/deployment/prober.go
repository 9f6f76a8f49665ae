// Package deployment checks a server's public address from the outside, as browsers
// find it. It says what is wrong and what to do. [Check] makes all checks. It runs
// nothing in a browser, needs no token, and changes nothing on the server.
//
//   - prober.go: the order of the checks.
//   - names.go: DNS and registrable domains.
//   - tls.go: certificates.
//   - answers.go, policies.go: who answers, and with which headers.
//   - stream.go: whether streams arrive unbuffered.
//   - http.go: port 80.
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

// Check makes all checks of a server. It uses only the addresses in config. roots are
// the authorities to trust, or nil for those of this machine. Check reports its
// progress to say. It fails if nothing can be said about the server, for example
// because no name can be looked up, and when ctx ends.
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
	Problems  int       `json:"problems"` // number of findings that are problems
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

// A prober checks a server. Tests replace the functions through which it uses the
// network.
type prober struct {
	config server.Config
	roots  *x509.CertPool // nil means those of this machine
	lookup func(ctx context.Context, host string) ([]string, error)
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	say    func(text string) // progress

	origins  server.Origins
	id       string  // an id that no sandbox has
	sites    []*site // the host page, the outer frame, and a sandbox
	findings []Finding
}

// A site is one of the three names of a server.
type site struct {
	part     part
	template string  // the origin as in [server.Origins]
	url      url.URL // the origin; for sandboxes, of one that does not exist
	down     string  // why nothing more can be checked there; "" if it can
}

// A part says which of the three names a site has, as in the result.
type part string

const (
	pagePart  part = "host page"
	outerPart part = "outer frame"
	innerPart part = "sandbox"
)

// A Status is the outcome of a check.
type Status string

const (
	OK      Status = "ok"
	Note    Status = "note" // not a problem, but worth knowing
	Warning Status = "warning"
	Problem Status = "problem"
	Skipped Status = "skipped" // an earlier problem prevents the check
)

// A Finding is one row of the result.
type Finding struct {
	Status Status `json:"status"`
	Check  string `json:"check"` // name of the check
	Of     string `json:"of"`    // the origin or host name that was checked
	Seen   string `json:"seen"`
	Advice string `json:"advice,omitempty"` // what to do
}

// run makes all checks. It fails if nothing can be said about the server.
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

// skip records that a check of a site was not possible.
func (p *prober) skip(check string, s *site) {
	p.add(Skipped, Finding{Check: check, Of: s.template, Seen: s.down})
}

// connect dials a name. Names below localhost are this machine, although not every
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

// patience is how long one connection or one response may take.
const patience = 10 * time.Second
