package deployment

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/bellglass/bellglass/server"
)

const (
	checkCertificate = "certificate"
	// renewal is how long before its expiry a certificate should have been renewed.
	// Automatic renewal happens 30 days before.
	renewal = 14 * 24 * time.Hour
)

// checkCertificates makes a TLS handshake with each name, because a proxy can have a
// certificate for each. Over http it checks nothing.
func (p *prober) checkCertificates(ctx context.Context) {
	for _, s := range p.sites {
		if s.url.Scheme != "https" {
			continue
		}
		if s.down != "" {
			p.skip(checkCertificate, s)
			continue
		}
		p.say("TLS with " + s.url.Host)
		p.checkCertificate(ctx, s)
	}
}

func (p *prober) checkCertificate(ctx context.Context, s *site) {
	f := Finding{Check: checkCertificate, Of: hostOf(s)}
	conn, err := p.connect(ctx, "tcp", address(s))
	if err != nil {
		s.down = "nothing listens there"
		f.Seen, f.Advice = fmt.Sprintf("No connection to %s: %v.", address(s), err), startAdvice
		p.add(Problem, f)
		return
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now := time.Now()
	client := tls.Client(conn, &tls.Config{ServerName: s.url.Hostname(), RootCAs: p.roots})
	if err := client.HandshakeContext(ctx); err != nil {
		f.Seen, f.Advice = refusedHandshake(s, err, now)
		p.add(Problem, f)
		return
	}
	expires := client.ConnectionState().PeerCertificates[0].NotAfter
	f.Seen = fmt.Sprintf("valid until %s", expires.Format(time.DateOnly))
	if left := expires.Sub(now); left < renewal {
		f.Seen = fmt.Sprintf("It expires on %s; whole days left: %d.", expires.Format(time.DateOnly), int(left.Hours()/24))
		f.Advice = "Renew the certificate, and find out why that did not happen automatically. bellglass serve reads the new files without a restart."
		p.add(Warning, f)
		return
	}
	p.add(OK, f)
}

const startAdvice = "Start the server, or the proxy in front of it, and open the port in the firewalls between."

// refusedHandshake says why there is no TLS. If only the certificate is wrong, the
// other checks continue, so that one run finds every problem.
func refusedHandshake(s *site, err error, now time.Time) (seen, advice string) {
	if wrong, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		leaf := wrong.UnverifiedCertificates[0]
		if err := server.CheckLeaf(leaf, now, s.template); err != nil {
			fact, what, _ := strings.Cut(err.Error(), "; ") // the rest is advice
			if what = strings.ToUpper(what[:1]) + what[1:]; !strings.HasSuffix(what, "?") {
				what += "."
			}
			return "The certificate " + fact + ".", what
		}
		if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
			return fmt.Sprintf("This machine does not know the authority %q that has signed the certificate.", leaf.Issuer),
				"Use a certificate of a public authority, and serve those between it and yours as well (fullchain.pem). Name an authority of your own with --ca FILE; each browser has to trust it, too."
		}
		return fmt.Sprintf("The certificate is not valid: %v.", wrong.Err), "Use a certificate of an authority that browsers trust."
	}
	s.down = "no TLS there"
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return fmt.Sprintf("%s answers, but not in TLS: it may speak http.", address(s)),
			"Give serve --tls-cert and --tls-key, or let the proxy end TLS on this port."
	}
	return fmt.Sprintf("The TLS handshake failed: %v.", err), fmt.Sprintf("Give the server or the proxy a certificate for %s, and see its log.", hostOf(s))
}

// address returns the address that is dialed for a site.
func address(s *site) string {
	port := s.url.Port()
	if port == "" {
		port = s.url.Scheme // net knows the ports of http and https
	}
	return net.JoinHostPort(s.url.Hostname(), port)
}
