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

// A view of an MCP App has a new origin, unless its host passes a domain in the proxy's
// address (_meta.ui.domain in the specification). Then the origin is derived from the
// domain and the host's origin, and what the app stores is there again in its next view.
// One origin has one sandbox at a time: a second view of the same app gets a new origin.

// longestDomain bounds what a host may pass, in bytes.
const longestDomain = 512

// appID derives a sandbox's id from the origin of a host and the domain that it has passed.
// No two pairs have the same one, and without the key nobody can know it.
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

// domainOf reads the domain in the proxy's address, "" for none.
func domainOf(query url.Values) (string, error) {
	switch texts := query["domain"]; {
	case len(texts) == 0:
		return "", nil
	case len(texts) > 1:
		return "", refuse(http.StatusBadRequest, "bad-domain", "The address has %d parameters domain; send one.", len(texts))
	case len(texts[0]) > longestDomain:
		return "", refuse(http.StatusBadRequest, "bad-domain", "The domain in the address has %d bytes; at most %d are allowed.", len(texts[0]), longestDomain)
	default:
		return texts[0], nil
	}
}

// createFor makes the sandbox of an app with the origin that the host's page has asked for.
// If it cannot have that, it gets a new one, and the app notes why.
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
		// Another view may have taken the id since.
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

// fresh notes that the app does not get the origin that its host has asked for.
func (a *hostedApp) fresh(why string) {
	a.told = append(a.told, "domain: the app gets a new origin, and nothing that it stores outlives this view: "+why)
}

// asking returns the embedder whose page asks, or "". A browser sets Referer by itself, and
// a page can at most leave it out.
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

// embedders are the origins whose pages may speak to the outer frame.
func (sb *Sandbox) embedders() []string {
	if sb.app != nil && sb.app.host != "" {
		return []string{sb.app.host}
	}
	return sb.server.embedders
}

const (
	// A host page that replaces one frame by another asks for the new one while the server
	// learns of the end of the old one.
	handover = time.Second
	// reserved is how long a sandbox waits for its outer frame, which loads at once.
	reserved = 10 * time.Second
)

// vacate ends the sandbox that has the id if no page shows it any more, and reports
// whether the id is free.
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

// presence knows whether a page shows a sandbox. Its zero value is one that none has shown.
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

// over reports whether no page shows the sandbox any more. It waits a moment for the page
// that does.
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
