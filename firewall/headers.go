package firewall

import (
	"net/http"
	"slices"

	"github.com/bellglass/bellglass/firewall/internal/defences"
	"github.com/bellglass/bellglass/rules/browser"
)

// Class is what kind of response a header set is for. The zero value is a
// response that may load nothing and run nothing.
type Class uint8

// The classes of responses.
const (
	// Refusal is an error, or data that is no page: nothing loads, nothing runs.
	Refusal Class = iota
	// Inner is a document or file of the sandbox. The worker copies this set
	// onto each response it makes.
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
	// Notice is a page without a script that an embedder may show in the outer frame's
	// place.
	Notice
	// Isolated is the document of an isolated execution, which has no origin.
	Isolated
)

// Classes lists all classes, for tests that must cover each.
var Classes = []Class{Refusal, Inner, Boot, WorkerScript, Outer, HostPage, SelfTest, Notice, Isolated}

// Defences says which defences are in force; the zero value is all of them.
// Only package firewalltest can make another.
type Defences = defences.Set

// A Defence is one of them.
type Defence = defences.Defence

// The defences that are not headers, for those who put them up.
const (
	Sandbox        = defences.Sandbox
	WorkerGuard    = defences.WorkerGuard
	WorkerDecision = defences.WorkerDecision
	AnswerHeaders  = defences.AnswerHeaders
	Alone          = defences.Alone
	CookieClearing = defences.CookieClearing
)

// AllDefences lists the defences.
func AllDefences() []Defence { return defences.All() }

// Site is where a sandbox lives. Origins are serialised as the HTML
// specification does: scheme, host and port, no final slash.
type Site struct {
	Inner, Outer string
	// Embedders are the origins whose pages may frame the outer, loopback
	// aliases already expanded.
	Embedders []string
	// SignIn: the host page asks its own origin for what it shows, with a token.
	SignIn bool
	// Inline are the hashes ("sha256-…") of our own pages' inline script and
	// style, by class. A class without an entry has no script.
	Inline map[Class]Inline
	// Reports is the absolute URL to which the browser reports what the policy of an
	// inner document refuses. Documents without an address of their own (srcdoc,
	// blob:) have nothing that a relative one could go by. "" is for no reports.
	Reports string
	// Baseline is what an inner document may load without a rule; nil is [OwnFiles].
	Baseline Baseline
	// Controls are the sources of the frames that the self-test shows beside the
	// outer's: pages that nothing defends, for comparison.
	Controls []string
	// Network is what an isolated document may reach.
	Network Network
	// Grants are the sandbox's.
	Grants   Grants
	Defences Defences
}

// Inline is the hashes of a page's only inline script and only inline style.
type Inline struct{ Script, Style string }

// innerAncestors: a document of the sandbox may be framed by the outer frame,
// by the embedders above it, and by another document of the same sandbox.
func (s Site) innerAncestors() []string {
	return append([]string{"'self'", s.Outer}, s.Embedders...)
}

// Headers returns the whole policy header set for a response of the class. It
// is set before a handler runs, so that an error or a panic carries it too.
func (f *Firewall) Headers(c Class, s Site) http.Header {
	h := http.Header{}
	set := func(d Defence, name, value string) {
		if s.Defences.Has(d) {
			h.Set(name, value)
		}
	}
	h.Set("Cache-Control", "no-store")
	set(defences.ContentTypeOptions, "X-Content-Type-Options", "nosniff")
	set(defences.ReferrerPolicy, "Referrer-Policy", "no-referrer")
	// The outer page asks for no process of its own, since every document of a sandbox
	// does: what is left to the site's process is our own code, outer frames and, where
	// sandboxes are named below the outer's host, their workers. Asking would cost a
	// fifth of a first paint (docs/push.md): Chromium (156) learns of it with the answer,
	// throws away the process that it has made ready, and starts another, and one
	// more for the worker.
	// An isolated document has no origin of which it could ask that.
	if c != Outer && c != Isolated {
		set(defences.OriginAgentCluster, "Origin-Agent-Cluster", "?1")
	}
	set(defences.ContentSecurityPolicy, "Content-Security-Policy", f.csp(c, s).String())
	set(defences.ConnectionAllowlist, "Connection-Allowlist", f.connectionAllowlist(c, s))
	set(defences.DNSPrefetchControl, "X-DNS-Prefetch-Control", "off")
	set(defences.CrossOriginOpenerPolicy, "Cross-Origin-Opener-Policy", "same-origin")
	set(defences.CrossOriginResourcePolicy, "Cross-Origin-Resource-Policy", "same-origin")
	set(defences.PermissionsPolicy, "Permissions-Policy", permissionsPolicy(c, s))
	return h
}

// csp is the class's policy, without what the site's defences are without.
func (f *Firewall) csp(c Class, s Site) csp {
	policy := f.fullCSP(c, s)
	if !s.Defences.Has(defences.Sandbox) && c != Refusal {
		policy = slices.DeleteFunc(policy, func(d cspDirective) bool { return d.name == "sandbox" })
	}
	if !s.Defences.Has(defences.FrameSource) && c == Outer {
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
		// 'self' is the sandbox's own origin, whose server answers nothing but
		// what is ours; the page has no script but its own.
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

// reporting is the parameter with which a document's ReportingObserver is told what
// its allowlist refuses. The name is that of no endpoint, so nothing is sent.
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
		// Every address of its own origin but those that begin with two slashes (a named
		// group is a segment that is not empty, as seen in Chromium 156): what the page looks
		// at to see whether the header is enforced is one of these, and
		// Content-Security-Policy allows it.
		return browser.Allowlist(false, s.Outer+"/:first", s.Outer+"/:first/*", s.Inner)
	case HostPage:
		return browser.Allowlist(true, s.Outer)
	case SelfTest:
		return browser.Allowlist(true, append([]string{s.Outer}, s.Controls...)...)
	default: // Refusal
		return browser.Allowlist(false)
	}
}
