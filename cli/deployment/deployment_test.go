package deployment

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/server"
)

// seen is the expected text of a finding that is not OK.
type seen struct{ is, says, advises string }

const (
	page, outer, inner  = "https://glass.app.test", "https://sandbox.host.test", "https://{id}.sandbox.host.test"
	problem, skipped    = "problem ", "skipped "
	outerName, wildcard = "sandbox.host.test", "*.sandbox.host.test"
)

// Each fault of a deployment appears in the finding that it belongs to, with advice.
// All other findings are OK.
func TestDeployment(t *testing.T) {
	d := deploy(t)
	with := func(left time.Duration, names ...string) string {
		cert, key := d.issue(t, left, names...)
		return d.front(t, made(tls.LoadX509KeyPair(cert, key)), d.pass(nil, nil))
	}
	answers := func(status int, body string) string {
		return d.front(t, d.certificate, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://www.example.com/")
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
	}
	everywhere := func(check func(of string) seen) []seen {
		all := []seen{check(page), {skipped + "policies " + page, "", ""}, check(outer), {skipped + "policies " + outer, "", ""}, check(inner), {skipped + "policies " + inner, "", ""}}
		return append(all, seen{skipped + "stream " + outer, "", ""})
	}
	notFound := &net.DNSError{Err: "no such host", IsNotFound: true}
	fails := func(err error, names ...string) func(string) error {
		return func(host string) error {
			for _, name := range names {
				if host == name || strings.HasPrefix(name, "*") && strings.HasSuffix(host, name[1:]) {
					return err
				}
			}
			return nil
		}
	}
	host := func(of, says string) seen {
		return seen{problem + "answer " + of, says, "proxy_set_header Host $host."}
	}
	for _, row := range []struct {
		name   string
		addr   string // of the server; "" for none
		config func(*server.Config)
		roots  *x509.CertPool          // that doctor trusts
		lookup func(host string) error // replaces the lookup of a name
		plain  string                  // of port 80; "" for none
		want   []seen
		fails  string // the error if there is no result
	}{
		{name: "TLS by the server itself", addr: d.tls},
		{name: "a proxy that is right", addr: d.proxy(t, nil, nil)},

		{name: "Host is the proxy's own", addr: d.proxy(t, func(r *httputil.ProxyRequest) { r.Out.Host = d.plain }, nil), want: []seen{
			host(page, `glass.app.test was sent, and the server got "`+d.plain+`".`), host(outer, d.plain), host(inner, d.plain), {skipped + "stream " + outer, "", ""}}},
		{name: "Host is the host page's", addr: d.proxy(t, func(r *httputil.ProxyRequest) { r.Out.Host = "glass.app.test" }, nil), want: []seen{
			host(outer, "another name of its own"), host(inner, "another name of its own"), {skipped + "stream " + outer, "", ""}}},
		{name: "Host is the outer frame's", addr: d.proxy(t, func(r *httputil.ProxyRequest) { r.Out.Host = outerName }, nil), want: []seen{
			host(page, "another name of its own"), host(inner, "reached"), {skipped + "policies " + inner, "", ""}}},
		{name: "answers are collected", addr: d.proxy(t, nil, func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			return errors.Join(err, r.Body.Close())
		}), want: []seen{{problem + "stream " + outer, "only after its end", "proxy_buffering off"}}},
		{name: "only GET", addr: d.front(t, d.certificate, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				d.pass(nil, nil).ServeHTTP(w, r)
			} else {
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		})), want: []seen{{problem + "stream " + outer, "answered with 405", "every method"}}},
		{name: "no CSP", addr: d.proxy(t, nil, func(r *http.Response) error { r.Header.Del("Content-Security-Policy"); return nil }), want: []seen{
			{problem + "policies " + page, "missing: Content-Security-Policy.", "proxy_hide_header"}, {problem + "policies " + outer, "missing", ""}, {problem + "policies " + inner, "missing", ""}}},
		{name: "a CSP of another", addr: d.proxy(t, nil, func(r *http.Response) error { r.Header.Set("Content-Security-Policy", "default-src *"); return nil }), want: []seen{
			{problem + "policies " + page, "not as Bellglass sends them: Content-Security-Policy.", "sets them"}, {problem + "policies " + outer, "", ""}, {problem + "policies " + inner, "", ""}}},
		{name: "two CSPs", addr: d.proxy(t, nil, func(r *http.Response) error { r.Header.Add("Content-Security-Policy", "img-src *"); return nil }), want: []seen{
			{"warning policies " + page, "more than once: Content-Security-Policy.", "add_header"}, {"warning policies " + outer, "", ""}, {"warning policies " + inner, "", ""}}},

		{name: "expired", addr: with(-time.Hour, deploymentNames...), want: []seen{
			{problem + "certificate glass.app.test", "The certificate has expired on ", "Renew it."}, {problem + "certificate " + outerName, "expired", ""}, {problem + "certificate " + wildcard, "expired", ""}}},
		{name: "expires soon", addr: with(14*24*time.Hour-time.Minute, deploymentNames...), want: []seen{
			{"warning certificate glass.app.test", "days left: 13", "Renew"}, {"warning certificate " + outerName, "", ""}, {"warning certificate " + wildcard, "", ""}}},
		{name: "no wildcard", addr: with(90*24*time.Hour, deploymentNames[:2]...), want: []seen{
			{problem + "certificate " + wildcard, "is not for " + wildcard + ", but for glass.app.test sandbox.host.test", "by a wildcard"}}},
		{name: "unknown authority", addr: d.tls, roots: made(testca.New()).Pool(), want: []seen{
			{problem + "certificate glass.app.test", `"CN=Bellglass tests"`, "--ca FILE"}, {problem + "certificate " + outerName, "authority", ""}, {problem + "certificate " + wildcard, "authority", ""}}},

		{name: "no wildcard record", addr: d.tls, lookup: fails(notFound, wildcard), want: []seen{
			{problem + "name " + wildcard, "the wildcard record is missing", "192.0.2.1"}, {skipped + "certificate " + inner, "does not resolve", ""}, {skipped + "answer " + inner, "", ""}, {skipped + "policies " + inner, "", ""}}},
		{name: "no record of the outer frame", addr: d.tls, lookup: fails(notFound, outerName), want: []seen{
			{problem + "name " + outerName, "does not resolve", "A or AAAA"}, {skipped + "certificate " + outer, "", ""}, {skipped + "answer " + outer, "", ""}, {skipped + "policies " + outer, "", ""}, {skipped + "stream " + outer, "", ""}}},
		{name: "no name server", addr: d.tls, lookup: fails(&net.DNSError{Err: "server misbehaving", IsTemporary: true}, deploymentNames...), fails: "server misbehaving"},
		{name: "nothing listens", want: append([]seen{{problem + "certificate glass.app.test", "connection refused", "open the port"}, {problem + "certificate " + outerName, "", ""}, {problem + "certificate " + wildcard, "", ""}},
			everywhere(func(of string) seen { return seen{skipped + "answer " + of, "nothing listens", ""} })...)},
		{name: "http on the port of https", addr: d.plain, want: append([]seen{{problem + "certificate glass.app.test", "not in TLS", "--tls-cert"}, {problem + "certificate " + outerName, "", ""}, {problem + "certificate " + wildcard, "", ""}},
			everywhere(func(of string) seen { return seen{skipped + "answer " + of, "no TLS", ""} })...)},
		{name: "another template", addr: d.proxy(t, nil, nil), config: func(c *server.Config) { c.InnerHost = "box-{id}.host.test" }, want: []seen{
			{problem + "certificate *.host.test", "is not for", "has to be {id} alone"},
			{problem + "answer https://box-{id}.host.test", "does not know the host box-", "--inner-host"}}},
		{name: "a configuration that serve refuses", addr: d.tls, config: func(c *server.Config) { c.OuterHost = "sandbox.app.test" }, want: []seen{
			{problem + "configuration " + page, "share the registrable domain app.test", "flags"}}},

		{name: "the proxy reaches nothing", addr: answers(502, "Bad Gateway"), want: everywhere(func(of string) seen { return seen{problem + "answer " + of, "A proxy answers 502", "--addr"} })},
		{name: "another program", addr: answers(200, "Welcome!"), want: everywhere(func(of string) seen { return seen{problem + "answer " + of, `status 200: "Welcome!"`, "DNS record"} })},
		{name: "a redirect", addr: answers(301, ""), want: everywhere(func(of string) seen { return seen{problem + "answer " + of, "www.example.com", "all requests"} })},
		{name: "something else at port 80", addr: d.tls, plain: d.plain, want: []seen{{"warning http http://glass.app.test/", "without a redirect", "port 80"}}},
		{name: "a redirect at port 80", addr: d.tls, plain: strings.TrimPrefix(made(redirects(t)).URL, "http://")},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := &prober{config: configuration, roots: d.authority.Pool(), say: func(string) {}}
			if row.config != nil {
				row.config(&p.config)
			}
			if row.roots != nil {
				p.roots = row.roots
			}
			p.lookup = func(_ context.Context, host string) ([]string, error) {
				if row.lookup != nil {
					if err := row.lookup(host); err != nil {
						return nil, err
					}
				}
				return []string{"192.0.2.1"}, nil
			}
			p.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				to := row.addr
				if strings.HasSuffix(address, ":80") {
					to = row.plain
				}
				if to == "" {
					return nil, errors.New("connection refused")
				}
				var d net.Dialer
				return d.DialContext(ctx, network, to)
			}
			err := p.run(t.Context())
			if row.fails != "" {
				if err == nil || !strings.Contains(err.Error(), row.fails) {
					t.Errorf("it ends with %v, want %q", err, row.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			check(t, p.findings, row.want)
		})
	}
}

// check compares the findings that are neither OK nor a note.
func check(t *testing.T, findings []Finding, want []seen) {
	t.Helper()
	var got []Finding
	for _, f := range findings {
		if f.Status != OK && f.Status != Note {
			got = append(got, f)
		}
		if f.Seen == "" || (f.Advice == "") != (f.Status == OK || f.Status == Skipped) {
			t.Errorf("the finding lacks its observation, or has advice although nothing is wrong: %+v", f)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d findings, want %d:\n%+v", len(got), len(want), got)
	}
	for i, w := range want {
		f := got[i]
		if is := string(f.Status) + " " + f.Check + " " + f.Of; is != w.is || !strings.Contains(f.Seen, w.says) || !strings.Contains(f.Advice, w.advises) {
			t.Errorf("got  %s: %s %s\nwant %s: %s %s", is, f.Seen, f.Advice, w.is, w.says, w.advises)
		}
	}
}

func redirects(t *testing.T) (*httptest.Server, error) {
	ts := httptest.NewServer(http.RedirectHandler(page+"/", http.StatusPermanentRedirect))
	t.Cleanup(ts.Close)
	return ts, nil
}

// What sandboxes share depends on their names and the public suffix list.
func TestDeploymentCookies(t *testing.T) {
	for _, row := range []struct {
		public, outer, inner string
		status               Status
		says                 string
	}{
		{"https://glass.app.test", "sandbox.host.test", "{id}.sandbox.host.test", Note, "have sandbox.host.test put on the public suffix list"},
		{"https://glass.app.test", "outer.github.io", "{id}.github.io", OK, "share no cookies"},
		{"https://localhost:3333", "", "", Note, "use --inner-host {id}.localhost"},
		{"https://localhost:3333", "", "{id}.localhost", OK, "share no cookies"},
	} {
		p := &prober{config: server.Config{PublicURL: row.public, OuterHost: row.outer, InnerHost: row.inner}}
		if err := p.checkConfiguration(); err != nil {
			t.Fatal(err)
		}
		p.checkDomain()
		if f := p.findings[len(p.findings)-1]; f.Status != row.status || !strings.Contains(f.Seen+" "+f.Advice, row.says) {
			t.Errorf("%+v: %+v", row, f)
		}
	}
}
