package deployment

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/bellglass/bellglass/server"
)

const checkNames = "name"

// checkNames looks up the three names. It fails if lookups do not work at all, so that
// nothing is known about any name.
func (p *prober) checkNames(ctx context.Context) error {
	addresses, failures := map[part][]string{}, []error{}
	lost := 0
	for _, s := range p.sites {
		host := s.url.Hostname()
		p.say("looking up " + host)
		found, err := p.resolve(ctx, host)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f := Finding{Check: checkNames, Of: hostOf(s)}
		if err == nil {
			addresses[s.part] = found
			f.Seen = strings.Join(found, ", ")
			p.add(OK, f)
			continue
		}
		failures = append(failures, err)
		if dns, ok := errors.AsType[*net.DNSError](err); !ok || !dns.IsNotFound {
			lost++
			s.down = "the lookup of the name failed"
			f.Seen, f.Advice = fmt.Sprintf("The lookup failed: %v.", err), "Check the DNS settings of this machine and its network, and try again."
		} else {
			s.down = "the name does not resolve"
			f.Seen, f.Advice = "The name does not resolve.", fmt.Sprintf("Add a DNS record, A or AAAA, for %s.", hostOf(s))
		}
		if outer := addresses[outerPart]; s.part == innerPart && outer != nil && s.down == "the name does not resolve" {
			f.Seen = "The name does not resolve, and the outer frame's does: the wildcard record is missing."
			f.Advice = fmt.Sprintf("Add a wildcard DNS record for %s. The outer frame has the addresses %s.", hostOf(s), strings.Join(outer, ", "))
		}
		p.add(Problem, f)
	}
	if lost == len(p.sites) {
		return fmt.Errorf("no name can be looked up from here: %w", errors.Join(failures...))
	}
	return nil
}

// hostOf returns a site's host name, with a star for the sandbox's label, as in DNS
// records and certificates.
func hostOf(s *site) string {
	if s.part != innerPart {
		return s.url.Hostname()
	}
	_, rest, _ := strings.Cut(s.url.Hostname(), ".")
	return "*." + rest
}

func (p *prober) resolve(ctx context.Context, host string) ([]string, error) {
	switch {
	case net.ParseIP(host) != nil:
		return []string{host}, nil
	case server.IsLoopbackName(host):
		return []string{"this machine"}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return p.lookup(ctx, host)
}

// checkDomain reports whether the sandboxes share cookies with each other.
func (p *prober) checkDomain() {
	f := Finding{Check: "cookies", Of: p.origins.Inner}
	domain := p.origins.SharedDomain()
	if domain == "" {
		f.Seen = "Each sandbox is a site of its own: sandboxes share no cookies with each other."
		p.add(OK, f)
		return
	}
	f.Seen = fmt.Sprintf("All sandboxes have the registrable domain %s: they share cookies with each other.", domain)
	_, parent, _ := strings.Cut(p.sites[2].url.Hostname(), ".")
	if server.IsLoopbackName(parent) {
		f.Advice = "If that matters, use --inner-host {id}.localhost."
	} else {
		f.Advice = fmt.Sprintf("If that matters, have %s put on the public suffix list (publicsuffix.org).", parent)
	}
	p.add(Note, f)
}
