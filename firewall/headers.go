package firewall

import (
	"net/http"
	"slices"

	"github.com/bellglass/bellglass/firewall/internal/defenses"
	"github.com/bellglass/bellglass/rules/browser"
)

// Class is the kind of response that a header set is for. The zero value is a response that
// may load nothing and run nothing.
type Class uint8

// The classes of responses.
const (
	// Refusal is an error, or data that is not a page: nothing loads, nothing runs.
	Refusal Class = iota
	// Inner is a document or file of the sandbox. The worker copies this set to each response
	// that it makes.
	Inner
	// Boot is the inner frame's own page, on the inner origin.
	Boot
	// WorkerScript is the service worker's script.
	WorkerScript
	// Outer is the outer frame's page.
	Outer
	// HostPage is our own page around the outer frame.
	HostPage
	// SelfTest is our own page around the self-test's frames.
	SelfTest
	// Notice is a page without a script that an embedder may show in place of the outer frame.
	Notice
	// Isolated is the document of an isolated execution, which has no origin.
	Isolated
)

// Classes lists all classes, for tests that must cover every class.
var Classes = []Class{Refusal, Inner, Boot, WorkerScript, Outer, HostPage, SelfTest, Notice, Isolated}

// Defenses says which defenses are in force. The zero value is all of them. Only package
// firewalltest can make another value.
type Defenses = defenses.Set

// A Defense is one of the defenses.
type Defense = defenses.Defense

// The defenses that are not headers, for the packages that implement them.
const (
	Sandbox        = defenses.Sandbox
	WorkerGuard    = defenses.WorkerGuard
	WorkerDecision = defenses.WorkerDecision
	AnswerHeaders  = defenses.AnswerHeaders
	Alone          = defenses.Alone
	CookieClearing = defenses.CookieClearing
)

// AllDefenses returns all defenses.
func AllDefenses() []Defense { return defenses.All() }

// Site is the location of a sandbox. Origins are serialized as in the HTML specification:
// scheme, host, and port, without a final slash.
type Site struct {
	Inner, Outer string
	// Embedders are the origins whose pages may frame the outer. Loopback origins are already
	// expanded to all their aliases.
	Embedders []string
	// SignIn means that the host page requests what it shows from its own origin, with a
	// token.
	SignIn bool
	// Inline has the hashes ("sha256-…") of our own inline script and style, by class. That of
	// [Inner] is the client script, which is in each document. A class without an entry has no
	// script.
	Inline map[Class]Inline
	// Reports is the absolute URL to which the browser reports what the policy of an inner
	// document blocks. It is absolute because documents without an address of their own
	// (srcdoc, blob:) cannot resolve a relative URL. "" means no reports.
	Reports string
	// Baseline is what an inner document may load without a rule. nil means [OwnFiles].
	Baseline Baseline
	// Controls are the sources of the frames that the self-test shows beside the outer's:
	// pages without any defense, for comparison.
	Controls []string
	// Network is what an isolated document may reach.
	Network Network
	// Grants are the sandbox's grants.
	Grants   Grants
	Defenses Defenses
}

// Inline has the hashes of our only inline script and our only inline style in a page.
type Inline struct{ Script, Style string }

// innerAncestors returns who may frame a document of the sandbox: the outer frame, the
// embedders above it, and other documents of the same sandbox.
func (s Site) innerAncestors() []string {
	return append([]string{"'self'", s.Outer}, s.Embedders...)
}

// Headers returns the whole set of policy headers for a response of the class. Callers set it
// before a handler runs, so that errors and panics carry it, too.
func (f *Firewall) Headers(c Class, s Site) http.Header {
	h := http.Header{}
	set := func(d Defense, name, value string) {
		if s.Defenses.Has(d) {
			h.Set(name, value)
		}
	}
	h.Set("Cache-Control", "no-store")
	set(defenses.ContentTypeOptions, "X-Content-Type-Options", "nosniff")
	set(defenses.ReferrerPolicy, "Referrer-Policy", "no-referrer")
	// The outer page does not ask for its own process, since every document of a sandbox does.
	// The site's process is left with our own code: outer frames and, if sandboxes are named
	// below the outer's host, their workers.
	//
	// Asking would cost a fifth of a first paint. Chromium (156) learns of it with the
	// response, discards the process that it has prepared, and starts another one, and one
	// more for the worker.
	//
	// An isolated document has no origin for which it could ask.
	if c != Outer && c != Isolated {
		set(defenses.OriginAgentCluster, "Origin-Agent-Cluster", "?1")
	}
	set(defenses.ContentSecurityPolicy, "Content-Security-Policy", f.csp(c, s).String())
	set(defenses.ConnectionAllowlist, "Connection-Allowlist", f.connectionAllowlist(c, s))
	set(defenses.DNSPrefetchControl, "X-DNS-Prefetch-Control", "off")
	set(defenses.CrossOriginOpenerPolicy, "Cross-Origin-Opener-Policy", "same-origin")
	set(defenses.CrossOriginResourcePolicy, "Cross-Origin-Resource-Policy", "same-origin")
	set(defenses.PermissionsPolicy, "Permissions-Policy", permissionsPolicy(c, s))
	if isolation := s.Grants.documentIsolation(); isolation != "" && c == Inner {
		h.Set("Document-Isolation-Policy", isolation)
	}
	return h
}

// csp returns the class's policy, without the parts whose defenses the site has switched off.
func (f *Firewall) csp(c Class, s Site) csp {
	policy := f.fullCSP(c, s)
	if !s.Defenses.Has(defenses.Sandbox) && c != Refusal {
		policy = slices.DeleteFunc(policy, func(d cspDirective) bool { return d.name == "sandbox" })
	}
	if !s.Defenses.Has(defenses.FrameSource) && c == Outer {
		for i := range policy {
			if policy[i].name == "frame-src" {
				policy[i].sources = []string{"*", "data:", "blob:"}
			}
		}
	}
	return policy
}

func (f *Firewall) fullCSP(c Class, s Site) csp {
	none, inline := []string{"'none'"}, s.Inline[c]
	base := csp{{"default-src", none}}
	add := func(name string, sources ...string) { base = append(base, cspDirective{name, sources}) }
	if inline.Script != "" {
		add("script-src", "'"+inline.Script+"'")
	}
	if inline.Style != "" {
		add("style-src", "'"+inline.Style+"'")
	}
	switch c {
	case Inner:
		return f.innerCSP(s)
	case WorkerScript:
		return f.workerCSP()
	case Isolated:
		return f.isolatedCSP(s)
	case Boot:
		// 'self' is the sandbox's own origin. Its server answers only with our own responses,
		// and the page has no script but its own.
		add("connect-src", "'self'")
		add("worker-src", "'self'")
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", s.innerAncestors()...)
		add("sandbox", sandboxFlags)
	case Outer:
		add("connect-src", "'self'")
		add("frame-src", s.Inner)
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", s.Embedders...)
	case Notice:
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", s.Embedders...)
		add("sandbox")
	case HostPage:
		add("img-src", "data:")
		if s.SignIn {
			add("connect-src", "'self'")
		}
		add("frame-src", s.Outer)
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", "'none'")
	case SelfTest:
		add("img-src", "data:")
		add("connect-src", "'self'")
		add("frame-src", append([]string{s.Outer}, s.Controls...)...)
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", "'none'")
	default:
		add("base-uri", "'none'")
		add("form-action", "'none'")
		add("frame-ancestors", "'none'")
		add("sandbox")
	}
	return base
}

// reporting is the parameter with which a document's ReportingObserver gets a report of what
// its allowlist blocks. No endpoint has the name, so nothing is sent.
const reporting = ";report-to=bellglass"

func (f *Firewall) connectionAllowlist(c Class, s Site) string {
	switch c {
	case Inner:
		list := browser.Allowlist(true, f.Policy().Browser().Patterns...)
		if s.Reports != "" {
			list += reporting
		}
		return list
	case WorkerScript:
		return browser.Allowlist(true, f.Policy().Browser().WorkerPatterns...)
	case Isolated:
		return browser.Allowlist(false, s.Network.Patterns...)
	case Boot:
		return browser.Allowlist(true)
	case Outer:
		// The outer may reach every address of its own origin except those that begin with two
		// slashes. (A named group is a segment that is not empty, as seen in Chromium 156.)
		// The page requests an address with two slashes to see whether the header is enforced.
		// Content-Security-Policy allows that request.
		return browser.Allowlist(false, s.Outer+"/:first", s.Outer+"/:first/*", s.Inner)
	case HostPage:
		return browser.Allowlist(true, s.Outer)
	case SelfTest:
		return browser.Allowlist(true, append([]string{s.Outer}, s.Controls...)...)
	default: // Refusal
		return browser.Allowlist(false)
	}
}
