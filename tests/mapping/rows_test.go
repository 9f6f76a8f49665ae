package mapping

import (
	"errors"
	"net/http"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// A mapping is one row: a policy, and the expected outcomes of requests. A request is written
// "URL", "HOW URL", or "HOW URL -> URL", where the canary redirects the first URL to the
// second. HOW is a method, a type of the rules, or another of the ways in page_test.go. It is
// omitted for GET and for WebSockets. In a URL, SELF is the page's own host and port, and
// OTHER is the same host with another port.
type mapping struct {
	name string
	// rules is the list of rules, head the text before it, and ceiling the rules of a ceiling
	// over the policy.
	rules, head, ceiling string

	// refused is part of the error for an invalid policy. It is the only expectation then.
	refused string

	// pass: a rule allows it, and either header lets it through.
	pass []string
	// wider: no rule allows it, and either header still lets it through. With onlyCSP and
	// onlyAllowlist, one header lets it through and the other blocks it.
	wider, onlyCSP, onlyAllowlist []string
	// narrower: a rule allows it, and the Connection-Allowlist blocks it.
	narrower []string
	// blocked: no rule allows it, and neither header lets it through.
	blocked []string
	// never: the browser makes no such request, whatever the policy.
	never []string
	// why says why headers and rule differ.
	why string

	// spelling: the headers let through more than the rule, but only other spellings of URLs
	// that the rule allows.
	spelling bool
	// unexplained: browser.CoveringSources or CoveringPatterns does not know of something that
	// the browser lets through.
	unexplained bool
}

// A mappingRequest is one request of a row, with its outcome.
type mappingRequest struct {
	text, how string
	from, to  string // to is where a redirect leads
	method    string
	kind      rules.Type
	sent      string // the URL as the browser sends it

	csp, allowlist, never bool
	action                rules.Action
	unjudged              bool // not judged by the rules
	arrived               bool
}

// firewall returns the firewall of the row's policy, or the error that rejects the policy.
func (m *mapping) firewall() (*firewall.Firewall, error) {
	policy, err := rules.Load("policy.yaml", func(name string) ([]byte, error) {
		switch {
		case name == "policy.yaml" && m.ceiling != "":
			return []byte("version: 1\ninclude: [ceiling.yaml]\n" + m.head + "\nrules:\n" + m.rules), nil
		case name == "policy.yaml":
			return []byte("version: 1\n" + m.head + "\nrules:\n" + m.rules), nil
		case name == "ceiling.yaml" && m.ceiling != "":
			return []byte("version: 1\nceiling: true\nrules:\n" + m.ceiling), nil
		}
		return nil, errors.New("the row has no such file")
	})
	if err != nil {
		return nil, err
	}
	return firewall.New(policy), nil
}

// requests returns the row's requests, made by a page of the origin.
func (m *mapping) requests(origin string) []mappingRequest {
	self := strings.TrimPrefix(origin, "http://")
	host, _, _ := strings.Cut(self, ":")
	names := strings.NewReplacer("//SELF", "//"+self, "//OTHER", "//"+host+":3001")
	var all []mappingRequest
	for _, list := range []struct {
		texts   []string
		becomes mappingRequest
	}{
		{m.pass, mappingRequest{csp: true, allowlist: true, action: rules.Allow}},
		{m.wider, mappingRequest{csp: true, allowlist: true}},
		{m.onlyCSP, mappingRequest{csp: true}},
		{m.onlyAllowlist, mappingRequest{allowlist: true}},
		{m.narrower, mappingRequest{csp: true, action: rules.Allow}},
		{m.blocked, mappingRequest{}},
		{m.never, mappingRequest{never: true, unjudged: true}},
	} {
		for _, text := range list.texts {
			r := list.becomes
			r.text, r.how, r.method, r.kind = text, "GET", http.MethodGet, rules.TypeFetch
			r.from, r.to, _ = strings.Cut(names.Replace(text), " -> ")
			if how, address, found := strings.Cut(r.from, " "); found && !strings.Contains(how, ":") {
				r.how, r.from = how, address
			} else if strings.HasPrefix(r.from, "ws") {
				r.how = "websocket"
			}
			if kind, err := rules.ParseType(r.how); err == nil {
				r.kind = kind
			} else if r.how == strings.ToUpper(r.how) {
				r.method = r.how
			}
			// The page's own files need no rule. Only the worker refuses a redirect.
			r.unjudged = r.unjudged || r.to != "" || r.from != strings.TrimPrefix(text, r.how+" ")
			all = append(all, r)
		}
	}
	return all
}

// target returns the URL whose arrival counts.
func (r *mappingRequest) target() string {
	if r.to != "" {
		return r.to
	}
	return r.from
}

// arrives reports whether the row expects the request to reach the canary.
func (r *mappingRequest) arrives(v variant) bool {
	switch v.header {
	case "":
		return !r.never
	case "Content-Security-Policy":
		return r.csp
	}
	return r.allowlist
}
