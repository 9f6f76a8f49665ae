package rule

// A Request is what is known about a request before it is sent.
type Request struct {
	// Method is the request method as the browser sends it: upper case except for unusual
	// methods.
	Method string
	// URL is absolute. It is judged in the spelling of [CanonicalURL].
	URL  string
	Type Type
}

// A Verdict is the answer to a request. The zero Verdict blocks.
type Verdict struct {
	Action Action
	// Rule is the id of the rule that decided, or "".
	Rule string
	Code Code
	// Reason is for people. It is the rule's own reason if the rule states one.
	Reason string
	// URL is the canonical URL. If there is none, it is the request's own URL.
	URL string
	// File and Line are the position of the rule. If no rule decided, only File is set.
	File string
	Line int
}

// A Code names the reason for a verdict.
type Code string

// The codes. All except CodeRule and CodeAudit mean that the request is blocked. Only verdicts
// with CodeRule and CodeCeiling name a rule.
const (
	// CodeRule means that the named rule decided.
	CodeRule Code = "rule"
	// CodeDefault means that no rule matches.
	CodeDefault Code = "default"
	// CodeAudit means that no rule matches, and the policy only audits.
	CodeAudit Code = "audit"
	// CodeCeiling means that the named rule would allow the request, but an included file that
	// sets a ceiling does not.
	CodeCeiling Code = "ceiling"
	// CodePrivateAddress means that no rule matches, and the host is a literal private,
	// loopback, or link-local address.
	CodePrivateAddress Code = "private-address"
	// CodeNoncanonical means that the URL can be read in different ways.
	CodeNoncanonical Code = "noncanonical"
	// CodeTooLong means that the URL is longer than 8 KiB.
	CodeTooLong Code = "too-long"
	// CodeUnsupportedScheme means that no pattern can have the URL's scheme.
	CodeUnsupportedScheme Code = "unsupported-scheme"
	// CodeUnsupportedType means that no rule can name this type of request, or not for a URL
	// of this scheme.
	CodeUnsupportedType Code = "unsupported-type"
	// CodeNoProgram means that there is no program that this version can read.
	CodeNoProgram Code = "no-program"
)

// Codes lists all codes.
var Codes = []Code{
	CodeRule, CodeDefault, CodeAudit, CodeCeiling, CodePrivateAddress, CodeNoncanonical, CodeTooLong, CodeUnsupportedScheme, CodeUnsupportedType, CodeNoProgram,
}
