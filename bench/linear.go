package main

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gobwas/glob"

	language "github.com/bellglass/bellglass/rules/rule"
)

// A linear tries one rule after another. Block rules come first, because they win. It
// compares the four parts of a URL one by one, as our engine does.
type linear struct {
	block, allow []globs
	urls         []string
}

type globs struct {
	scheme     string
	port       int
	host, path *glob.Pattern // path is nil if any path matches
}

func newLinear(all []rule, urls []string) (*linear, error) {
	c := &linear{urls: urls}
	for _, r := range all {
		g := globs{scheme: r.scheme, port: r.port}
		if g.port == 0 {
			g.port = language.DefaultPort(r.scheme)
		}
		host := r.host
		if strings.HasPrefix(host, "*.") {
			host = "*" + host // one label or more
		}
		var err error
		if g.host, err = glob.Compile(host, '.'); err != nil {
			return nil, err
		}
		if r.path != "" {
			if g.path, err = glob.Compile(r.path, '/'); err != nil {
				return nil, err
			}
		}
		if r.allow {
			c.allow = append(c.allow, g)
		} else {
			c.block = append(c.block, g)
		}
	}
	return c, nil
}

func (c *linear) allows(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	port := language.DefaultPort(u.Scheme)
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return false
		}
	}
	host, path := u.Hostname(), u.EscapedPath()
	return !matchAny(c.block, u.Scheme, host, port, path) && matchAny(c.allow, u.Scheme, host, port, path)
}

func matchAny(list []globs, scheme, host string, port int, path string) bool {
	for i := range list {
		g := &list[i]
		if g.scheme == scheme && (g.port == port || g.port == anyPort) && g.host.Match(host) && (g.path == nil || g.path.Match(path)) {
			return true
		}
	}
	return false
}

func (c *linear) Run(requests, passes int) (time.Duration, int, error) {
	allowed := 0
	begin := time.Now()
	for range passes {
		for _, requested := range c.urls[:requests] {
			if c.allows(requested) {
				allowed++
			}
		}
	}
	return time.Since(begin), allowed, nil
}
