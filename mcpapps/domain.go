package mcpapps

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/browser"
)

// A domain is one entry of a list, as patterns of the rules language.
type domain struct {
	scheme  string
	rest    string // host, port and path
	sources string // CSP sources, separated by spaces
}

// syntax matches a scheme, a host (perhaps with a leading "*."), a port, and a path.
// Other characters that a CSP source or a rule pattern allows have another meaning
// there, or none.
var syntax = regexp.MustCompile(`^(?:(https?|wss?)://)?((?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)(:(?:[0-9]+|\*))?(/[A-Za-z0-9._~!$&()+=:@%/-]*)?$`)

// parseDomain parses an entry. Without a scheme it means https, or http for this
// machine.
func parseDomain(text string) (domain, error) {
	const most = 512 // characters
	if len(text) > most {
		return domain{}, fmt.Errorf("it has %d characters; at most %d are allowed", len(text), most)
	}
	parts := syntax.FindStringSubmatch(text)
	if parts == nil {
		return domain{}, syntaxError(text)
	}
	scheme, host, port, path := parts[1], parts[2], parts[3], parts[4]
	if scheme == "" {
		scheme = "https"
		if host == "localhost" || host == "127.0.0.1" || strings.HasSuffix(host, ".localhost") {
			scheme = "http"
		}
	}
	// A CSP source that ends in a slash covers everything below (CSP Level 3, section
	// 6.7.2.12).
	switch {
	case path == "/":
		path = ""
	case strings.HasSuffix(path, "/"):
		path += "**"
	}
	d := domain{scheme: scheme, rest: host + port + path}
	policy, err := d.policy()
	if err != nil {
		return domain{}, errors.New(firstMistake(err)) // the rules language knows what a browser can enforce
	}
	d.sources = strings.Join(policy.Browser().Directives[browser.Directive(d.kind())], " ")
	return d, nil
}

// policy returns a policy with the entry as its only rule.
func (d domain) policy() (*rules.Policy, error) {
	return rules.Parse("csp", []byte(fmt.Sprintf("version: 1\nrules:\n  - {types: [%s], allow: [%s]}\n", d.kind(), quoted(d.patterns()))))
}

// covers reports whether the entry includes a URL.
func (d domain) covers(url string) bool {
	policy, err := d.policy()
	return err == nil && firewall.New(policy).Decide(firewall.Request{Method: "GET", URL: url, Type: d.kind()}).Action == rules.Allow
}

// syntaxError returns why an entry is not an origin.
func syntaxError(text string) error {
	scheme, rest, _ := strings.Cut(text, ":")
	switch {
	case strings.HasPrefix(text, "'"):
		return errors.New("it is a keyword of a Content-Security-Policy, and the specification lets an app declare origins only")
	case text == "*" || strings.HasSuffix(text, "://*"):
		return errors.New("it names every host; name the hosts that the app uses")
	case strings.Contains(text, "["):
		return errors.New("it is an IPv6 address, which a Content-Security-Policy cannot name; use a host name")
	case rest == "" && scheme != text, slices.Contains([]string{"data", "blob", "filesystem", "about"}, scheme):
		return errors.New("it is a scheme; the specification lets an app declare origins only")
	case strings.Contains(text, "@"):
		return errors.New("it has a user name or a password; an origin has neither")
	case strings.ContainsAny(text, "?#"):
		return errors.New("it has a query or a fragment; an origin has neither")
	}
	return errors.New("it is not an origin such as https://api.example.com or https://*.example.com")
}

func (d domain) kind() rules.Type {
	if d.isWebSocket() {
		return rules.TypeWebSocket
	}
	return rules.TypeFetch
}

func (d domain) isWebSocket() bool { return d.scheme == "ws" || d.scheme == "wss" }

// patterns returns the patterns of the entry's rule. A browser treats http and ws as
// including their secure forms (CSP Level 3, section 6.7.2.8), so the rule includes
// them too.
func (d domain) patterns() []string {
	all := []string{d.scheme + "://" + d.rest}
	if d.scheme == "http" || d.scheme == "ws" {
		all = append(all, d.scheme+"s://"+d.rest)
	}
	return all
}

// sample returns a URL that the entry includes.
func (d domain) sample() string {
	url := d.scheme + "://" + strings.Replace(d.rest, "*.", "any.", 1)
	url = strings.Replace(url, ":*", "", 1)
	url = strings.Replace(url, "**", "any", 1)
	return url
}
