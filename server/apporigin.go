package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A view of an MCP App gets a new origin, unless its host passes a domain in the proxy's
// address (_meta.ui.domain in the specification). Then the origin is derived from that domain
// and the host's origin, so the app's next view finds what the app has stored. An origin has
// one sandbox at a time: a second view of the same app gets a new origin.

// longestDomain is the maximum length of the domain that a host passes, in bytes.
const longestDomain = 512

// appID derives a sandbox's id from the origin of a host and the domain that the host passes.
// Different pairs have different ids. Without the key, nobody can compute them.
func (c *Config) appID(host, domain string) string {
	mac := hmac.New(sha256.New, c.MCPKey)
	for _, part := range []string{"bellglass: the origin of an MCP App", host, domain} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		mac.Write(length[:])
		mac.Write([]byte(part))
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)))[:idLength]
}

// domainOf returns the domain in the proxy's address, or "" if there is none.
func domainOf(query url.Values) (string, error) {
	switch texts := query["domain"]; {
	case len(texts) == 0:
		return "", nil
	case len(texts) > 1:
		return "", refuse(http.StatusBadRequest, "bad-domain", "The parameter domain occurs %d times. Send it once.", len(texts))
	case len(texts[0]) > longestDomain:
		return "", refuse(http.StatusBadRequest, "bad-domain", "The parameter domain has %d bytes. Send at most %d.", len(texts[0]), longestDomain)
	default:
		return texts[0], nil
	}
}

// createFor makes the sandbox of an app at the origin that the host's page asks for. If that
// is not possible, the sandbox gets a new origin, and the app notes why.
func (s *Server) createFor(ctx context.Context, spec Spec, app *hostedApp, host, domain string) (*Sandbox, error) {
	switch {
	case domain == "":
		return s.create(spec, app)
	case s.config.MCPKey == nil:
		app.fresh("this server has no key for lasting origins")
		return s.create(spec, app)
	case host == "":
		app.fresh("the browser does not say which host page asks; remove no-referrer from that page's Referrer-Policy")
		return s.create(spec, app)
	}
	if spec.ID = s.config.appID(host, domain); s.vacate(ctx, spec.ID) {
		app.host = host
		sandbox, err := s.create(spec, app)
		// Another view may have taken the id meanwhile.
		if refused, _ := errors.AsType[*SpecError](err); refused == nil || refused.Field != "id" {
			return sandbox, err
		}
	}
	spec.ID = ""
	if !app.framed {
		app.host = ""
	}
	app.fresh("another view of this app has it now")
	return s.create(spec, app)
}

// fresh notes why the app does not get the origin that its host asked for.
func (a *hostedApp) fresh(why string) {
	a.told = append(a.told, "domain: the app gets a new origin, and nothing that it stores outlives this view: "+why)
}

// asking returns the embedder whose page sent the request, or "". The browser sets Referer: a
// page can leave it out, but cannot forge it.
func (s *Server) asking(r *http.Request) string {
	page, err := url.Parse(r.Referer())
	if err != nil {
		return ""
	}
	if origin := page.Scheme + "://" + page.Host; slices.Contains(s.embedders, origin) {
		return origin
	}
	return ""
}

// embedders returns the origins whose pages may talk to the outer frame.
func (sb *Sandbox) embedders() []string {
	if sb.app != nil && sb.app.host != "" {
		return []string{sb.app.host}
	}
	return sb.server.embedders
}

const (
	// handover is how long a new view waits for the old one. A page that replaces a frame may
	// ask for the new one before the server has noticed the end of the old one.
	handover = time.Second
	// reserved is how long a sandbox waits for its outer frame, which normally loads at once.
	reserved = 10 * time.Second
)

// vacate ends the sandbox with this id if no page shows it any more. It reports whether the id
// is free.
func (s *Server) vacate(ctx context.Context, id string) bool {
	before := s.Sandbox(id)
	if before == nil {
		return true
	}
	if before.app == nil || !before.app.presence.over(ctx, before.Created()) {
		return false
	}
	s.registry.Expel(id, endedReplaced, "its MCP host has made the next view of the app")
	return true
}

// presence tracks whether a page shows a sandbox. With its zero value, no page has shown it
// yet.
type presence struct {
	mu    sync.Mutex
	views int
	shown bool
	left  chan struct{} // closed when the last view ends; nil if nobody waits
}

func (p *presence) enter() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.views++
	p.shown = true
}

func (p *presence) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.views--; p.views == 0 && p.left != nil {
		close(p.left)
		p.left = nil
	}
}

// over reports whether no page shows the sandbox any more. If a page still does, over waits up
// to handover for that page to leave.
func (p *presence) over(ctx context.Context, made time.Time) bool {
	p.mu.Lock()
	if !p.shown || p.views == 0 {
		over := p.shown || time.Since(made) > reserved
		p.mu.Unlock()
		return over
	}
	if p.left == nil {
		p.left = make(chan struct{})
	}
	left := p.left
	p.mu.Unlock()
	select {
	case <-left:
		return true
	case <-time.After(handover):
	case <-ctx.Done():
	}
	return false
}
