// Package browsermodel models what a browser does with the two policy headers. It is written
// from the specifications, not from the code that writes the headers. Tests compare the
// firewall with it, without a browser. Only tests import it.
//
// # A guided tour
//
//   - url.go: a [URL] as the browser has serialized it, by the URL Standard
//     (https://url.spec.whatwg.org), in the parts that the policies use.
//   - csp.go: [Directives] reads a Content-Security-Policy (CSP Level 3, section 2.2.1), and
//     [ParseSource] one of its sources (2.3.1). [Source.Match] compares a source with a URL
//     (6.7.2.8 to 6.7.2.12). [Directive] says which list governs a request (6.8.1).
//   - allowlist.go: [Connections] reads a Connection-Allowlist, one inner list of RFC 9651
//     (section 3.1.1), and [ParsePattern] one of its URLPattern strings
//     (https://urlpattern.spec.whatwg.org).
//
// # What it leaves out
//
// The model leaves out keywords, nonces, and hashes, which allow no request to another origin.
// It leaves out the looser path rule after a redirect, because it follows no redirect. It
// leaves out regular expressions and names in a URLPattern, which this header must not
// contain. Where a browser would silently ignore a part, the model returns an error, because
// nobody means to send an ignored part.
//
// In two places the model follows the browsers and not the text. By CSP's section 6.7.2.10, a
// source matches no address except 127.0.0.1, but all browsers compare addresses like names.
// Chromium treats a label with an underscore as invalid, as the grammar does, so such a source
// is an error here.
package browsermodel
