package deployment

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/protocol"
)

const checkAnswer = "answer"

// client returns a client that reaches a site as the prober does. It accepts every
// certificate: a bad one is a finding already, and nothing secret is sent.
func (p *prober) client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: p.connect, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A reply is a site's response.
type reply struct {
	status int
	header http.Header
	body   string
	code   string // of a Bellglass refusal; "" for anything else
	health string // the status in the response of /healthz; "" for anything else
}

var refusalCode = regexp.MustCompile(`(?:^|\n)Bellglass: ([a-z0-9-]+)\n?$`)

// gotHost finds the host in Bellglass's answer to an unknown host.
var gotHost = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// ours reports whether Bellglass sent the reply.
func (r *reply) ours() bool { return r.code != "" || r.health != "" }

// line returns the beginning of the body, for display.
func (r *reply) line() string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.body), "\n")
	return fmt.Sprintf("%.200q", first)
}

func get(ctx context.Context, client *http.Client, u url.URL) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Sec-Fetch-Dest", "iframe") // as a browser that shows a sandbox
	response, err := client.Do(request)
	if err != nil {
		return nil, withoutURL(err)
	}
	defer response.Body.Close()
	const enough = 64 << 10 // bytes: every expected answer is shorter
	body, err := io.ReadAll(io.LimitReader(response.Body, enough))
	if err != nil {
		return nil, err
	}
	r := &reply{status: response.StatusCode, header: response.Header, body: string(body)}
	if found := refusalCode.FindStringSubmatch(r.body); found != nil {
		r.code = found[1]
	}
	return r, nil
}

// withoutURL removes the address from a client's error, because the finding has it
// already.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// checkAnswers requests, under each name, paths that only Bellglass answers, and that
// it answers only under that name.
func (p *prober) checkAnswers(ctx context.Context) {
	client := p.client()
	defer client.CloseIdleConnections()
	for _, s := range p.sites {
		if s.down != "" {
			p.skip(checkAnswer, s)
			p.skip(checkPolicies, s)
			continue
		}
		p.say("asking " + s.url.Host)
		u := s.url
		switch s.part {
		case pagePart:
			u.Path = "/healthz"
		case outerPart:
			u.Path = "/" + p.id
		case innerPart:
			u.Path = protocol.ListedPath // the outer frame's name answers it
		}
		r, err := get(ctx, client, u)
		if err != nil {
			s.down = "no answer"
			p.add(Problem, Finding{Check: checkAnswer, Of: s.template, Seen: fmt.Sprintf("No answer: %v.", err), Advice: startAdvice})
			p.skip(checkPolicies, s)
			continue
		}
		var health struct{ Status string }
		if s.part == pagePart && json.Unmarshal([]byte(r.body), &health) == nil && slices.Contains([]string{"ok", "ending"}, health.Status) {
			r.health = health.Status
		}
		p.judgeAnswer(s, r)
		if !r.ours() {
			p.skip(checkPolicies, s)
			continue
		}
		p.judgePolicies(s, r)
	}
}

// judgeAnswer reports whether the right server answered for the right host.
func (p *prober) judgeAnswer(s *site, r *reply) {
	f := Finding{Check: checkAnswer, Of: s.template}
	ok := r.health == "ok"
	if s.part != pagePart {
		ok = r.code == "unknown-sandbox"
	}
	if ok {
		f.Seen = "Bellglass answers, and gets the Host that was sent."
		p.add(OK, f)
		return
	}
	s.down = "the server does not answer as it should"
	switch {
	case r.health != "" || r.code == "ending":
		f.Seen, f.Advice = "The server is shutting down.", "Start it, and try again."
	case r.code == "unknown-host" && strings.Contains(r.body, strconv.Quote(s.url.Host)):
		f.Seen = fmt.Sprintf("The server does not know the host %s.", s.url.Host)
		f.Advice = "Give serve and doctor the same --public-url, --outer-host and --inner-host."
	case r.code == "unknown-host":
		f.Seen, f.Advice = fmt.Sprintf("A proxy changes Host: %s was sent, and the server got %.200s.", s.url.Host, gotHost.FindString(r.body)), hostAdvice(s)
	case r.code == "remote-address":
		f.Seen = "The server refuses the proxy, because it connects from another machine."
		f.Advice = "Let the proxy connect to a loopback address, or give serve --tls-cert and --tls-key."
	case r.ours() || r.body == protocol.ListedAnswer:
		f.Seen, f.Advice = fmt.Sprintf("A proxy changes Host: the server answers as for another name of its own, with %s.", r.line()), hostAdvice(s)
	case r.status == http.StatusBadGateway || r.status == http.StatusServiceUnavailable || r.status == http.StatusGatewayTimeout:
		f.Seen = fmt.Sprintf("A proxy answers %d: it does not reach the server.", r.status)
		f.Advice = "Start bellglass serve, and compare the address in the proxy's configuration with --addr."
	case r.status >= 300 && r.status < 400:
		f.Seen = fmt.Sprintf("A redirect to %.200q. Bellglass does not send it.", r.header.Get("Location"))
		f.Advice = fmt.Sprintf("Let the proxy hand all requests for %s to Bellglass.", hostOf(s))
	default:
		f.Seen = fmt.Sprintf("Another program answers, with status %d: %s.", r.status, r.line())
		f.Advice = fmt.Sprintf("Let %s lead to Bellglass: compare the DNS record, and the names in the proxy's configuration.", hostOf(s))
	}
	p.add(Problem, f)
}

// hostAdvice says how to make a proxy pass Host unchanged. nginx's $host has no port.
func hostAdvice(s *site) string {
	variable := "$host"
	if s.url.Port() != "" {
		variable = "$http_host"
	}
	return "Let the proxy pass Host on unchanged. In nginx, write proxy_set_header Host " + variable + ". Caddy does it by itself."
}
