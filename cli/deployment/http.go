package deployment

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// checkPlainHTTP checks whether something else serves the host page over http.
func (p *prober) checkPlainHTTP(ctx context.Context) {
	s := p.sites[0]
	if s.url.Scheme != "https" || s.url.Port() != "" || s.down != "" {
		return
	}
	client := p.client()
	defer client.CloseIdleConnections()
	u := url.URL{Scheme: "http", Host: s.url.Host, Path: "/"}
	p.say("asking " + s.url.Host + " over http")
	f := Finding{Check: "http", Of: u.String(), Seen: "Nothing answers."}
	r, err := get(ctx, client, u)
	switch {
	case err != nil:
	case r.status >= 300 && r.status < 400 && strings.HasPrefix(r.header.Get("Location"), s.template):
		f.Seen = "A redirect to https."
	default:
		f.Seen = fmt.Sprintf("An answer with status %d, without a redirect to %s.", r.status, s.template)
		f.Advice = "Redirect http to https, or close port 80."
		p.add(Warning, f)
		return
	}
	p.add(OK, f)
}
