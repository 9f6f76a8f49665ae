// Package browsermodel is what a browser makes of the two policy headers,
// written from the specifications and not from the code that writes the headers:
// what a test holds the firewall against, without a browser. Only tests import
// it.
//
// # A guided tour
//
//   - url.go: a [URL] as the browser has serialised it, by the URL Standard
//     (https://url.spec.whatwg.org), in the parts that the policies look at.
//   - csp.go: [Directives] reads a Content-Security-Policy (CSP Level 3, section
//     2.2.1), [ParseSource] one source of it (2.3.1), [Source.Match] compares it
//     with a URL (6.7.2.8 to 6.7.2.12), and [Directive] says which list governs a
//     request (6.8.1).
//   - allowlist.go: [Connections] reads a Connection-Allowlist, one inner list
//     of RFC 9651 (section 3.1.1), and [ParsePattern] one of its URLPattern
//     strings (https://urlpattern.spec.whatwg.org).
//
// # What it leaves out
//
// Keywords, nonces and hashes, which allow no request to another origin; the
// looser path rule after a redirect, because no redirect is followed; regular
// expressions and names in a URLPattern, which this header may not hold. Where
// a browser would silently ignore something, the model returns an error: what is
// ignored was not meant to be sent.
//
// Two places follow the browsers and not the text. CSP's section 6.7.2.10 lets no
// source but 127.0.0.1 match an address, and all browsers compare addresses like
// names. Chromium also takes a label with an underscore for none, as the grammar
// does, so such a source is an error here.
package browsermodel
