package server

import (
	"strings"
	"testing"
)

// Code in a sandbox can set and read the cookies of its registrable domain, so no page that
// embeds it may have the same domain.
func TestSandboxesHaveADomainOfTheirOwn(t *testing.T) {
	for _, row := range []struct {
		name                   string
		inner, outer, embedder string
		shared                 string // the domain that the error names, "" if the configuration is accepted
	}{
		{"defaults", "", "", "", ""},
		{"each sandbox a site", "{id}.localhost", "", "", ""},
		{"another port of this machine", "", "", "http://localhost:8080", ""},
		{"another name below localhost", "", "", "http://app.localhost:8080", ""},
		{"a domain of its own", "{id}.sandbox.example.net", "sandbox.example.net", "https://app.example.com", ""},
		{"below a public suffix", "{id}.glass.github.io", "glass.github.io", "https://app.github.io", ""},

		{"the sandboxes' alone", "{id}.sandbox.example.com", "outer.example.net", "https://app.example.com", "example.com"},
		{"the outer's alone", "{id}.sandbox.example.net", "sandbox.example.com", "https://app.example.com", "example.com"},
		{"the domain itself", "{id}.sandbox.example.com", "sandbox.example.com", "https://example.com", "example.com"},
		{"a prefixed id", "box-{id}.example.co.uk", "outer.example.co.uk", "https://docs.example.co.uk", "example.co.uk"},
		{"the outer frame's host at another port", "", "", "http://sandbox.localhost:8080", "sandbox.localhost"},
		{"a name below the outer frame's", "", "", "http://app.sandbox.localhost:8080", "sandbox.localhost"},
		{"an address at another port", "", "127.0.0.2", "http://127.0.0.2:8080", "127.0.0.2"},
		{"one label", "{id}.intranet", "outer.intranet", "http://outer.intranet:8080", "outer.intranet"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := Config{PublicURL: "https://localhost:3333", InnerHost: row.inner, OuterHost: row.outer}
			if row.embedder != "" {
				c.Embedders = []string{row.embedder}
			}
			if err := c.setDefaults(); err != nil {
				t.Fatal(err)
			}
			known := c
			known.AllowSharedDomain = true
			if _, err := known.embedders(); err != nil {
				t.Errorf("although it is known: %v", err)
			}
			_, err := c.embedders()
			if row.shared == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			for _, says := range []string{"domain " + row.shared + ".", "cookies", "--allow-shared-domain"} {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("no %q in %v", says, err)
				}
			}
		})
	}
}

// The public suffix list decides whether sandboxes share cookies with each other.
func TestSharedDomain(t *testing.T) {
	for _, row := range [][2]string{
		{"{id}.sandbox.example.net", "example.net"}, {"{id}.example.net", "example.net"}, {"box-{id}.example.co.uk", "example.co.uk"},
		{"{id}.sandbox.localhost", "sandbox.localhost"}, {"{id}.localhost", ""}, {"{id}.github.io", ""}, {"{id}.glass.github.io", "glass.github.io"},
	} {
		if got := (Origins{Inner: "https://" + row[0] + ":8443"}).SharedDomain(); got != row[1] {
			t.Errorf("%s: %q, want %q", row[0], got, row[1])
		}
	}
}
