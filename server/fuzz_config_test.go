package server

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/sandbox"
)

// A configured name gets into a header only as itself: the policy has the same directives, and
// its sources are exactly the origins. New bundles the scripts for browsers, so the fuzzer
// tests the code before and after that.
func FuzzConfig(f *testing.F) {
	for _, seed := range [][3]string{
		{"https://docs.example.com", "sandbox.localhost", "{id}.sandbox.localhost"},
		{"http://localhost:8000", "outer.example.net", "box-{id}.example.net"},
		{"https://a.example; script-src *", "a;b", "{id}.a,b"},
		{"https://a.example\r\nX: y", "a\nb", "{id}.a b"},
		{"http://127.0.0.1:80", "127.0.0.2", "{id}.a.1"},
		{"https://xn--mnchen-3ya.example:8443", "a_b.c", "{id}{id}.a"},
		{"null", "", ""},
		{"https://[::1]", "[::1]", "{id}"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	s, _ := newTestServer(f)
	origin := regexp.MustCompile(`\Ahttps?://[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[1-9][0-9]{0,4})?\z`)
	f.Fuzz(func(t *testing.T, embedder, outer, inner string) {
		c := Config{PublicURL: "https://localhost:3333", Embedders: []string{embedder}, OuterHost: outer, InnerHost: inner}
		if c.setDefaults() != nil {
			return
		}
		embedders, err := c.embedders()
		if err != nil {
			return
		}
		if !slices.Contains(embedders, embedder) {
			t.Errorf("the embedder %q is accepted as %q", embedder, embedders)
		}
		id := strings.Repeat("a", idLength)
		for _, each := range slices.Concat(embedders, []string{c.origin(c.OuterHost), c.inner(id)}) {
			if !origin.MatchString(each) {
				t.Errorf("%q is accepted as an origin", each)
			}
		}
		if where, found := c.lookup(strings.TrimPrefix(c.inner(id), "https://")); where != innerHost && where != outerHost || where == innerHost && found != id {
			t.Errorf("a sandbox below %q is found as %d %q", inner, where, found)
		}
		if where, _ := c.lookup(strings.TrimPrefix(c.origin(c.OuterHost), "https://")); where != outerHost {
			t.Errorf("the outer host %q is found as %d", outer, where)
		}
		empty, err := sandbox.NewRegistry(sandbox.Config{})
		if err != nil {
			t.Fatal(err)
		}
		// The server itself with these names, without bundling the scripts again.
		renamed := &Server{config: c, embedders: embedders, outerOrigin: c.origin(c.OuterHost), inline: s.inline, registry: empty, metrics: s.metrics, tables: s.tables, echo: s.echo, safely: s.safely}
		got := ask(t, renamed, "GET", "localhost:3333", "/", http.Header{})
		checkResponse(t, got)
		csp := got.header.Get("Content-Security-Policy")
		if names := directives(csp); !slices.Equal(names, []string{"default-src", "script-src", "style-src", "img-src", "frame-src", "base-uri", "form-action", "frame-ancestors"}) {
			t.Errorf("the policy is %q", csp)
		}
		if !strings.Contains(csp, "; frame-src "+c.origin(c.OuterHost)+";") {
			t.Errorf("the policy %q does not name the outer host %q alone", csp, outer)
		}
	})
}

// directives lists the names of a policy's directives as a browser parses them (CSP Level 3,
// section 2.2.1).
func directives(policy string) (names []string) {
	for directive := range strings.SplitSeq(policy, ";") {
		if words := strings.Fields(directive); len(words) > 0 {
			names = append(names, words[0])
		}
	}
	return names
}
