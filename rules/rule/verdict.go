package rule

// A Request is what is known of a request before it leaves.
type Request struct {
	// Method as the browser sends it: upper case but for unusual methods.
	Method string
	// URL is absolute. [CanonicalURL] says what becomes of it.
	URL  string
	Type Type
}

// A Verdict is the answer to a request. The zero Verdict blocks.
type Verdict struct {
	Action Action
	// Rule is the id of the rule that decided, or "".
	Rule string
	Code Code
	// Reason is for people. It is the rule's own if it states one.
	Reason string
	// URL is the canonical URL, or the request's own if there is none.
	URL string
	// File and Line say where the rule stands; the file alone if none decided.
	File string
	Line int
}

// A Code says in one word why a verdict fell.
type Code string

// The codes. All but CodeRule and CodeAudit block, and only CodeRule and
// CodeCeiling come with a rule.
const (
	// CodeRule: the rule that the verdict names decided.
	CodeRule Code = "rule"
	// CodeDefault: no rule matches.
	CodeDefault Code = "default"
	// CodeAudit: no rule matches, and the policy only audits.
	CodeAudit Code = "audit"
	// CodeCeiling: the rule that the verdict names would allow it, but an
	// included file that sets a ceiling does not.
	CodeCeiling Code = "ceiling"
	// CodePrivateAddress: no rule matches, and the host is a literal private,
	// loopback or link-local address.
	CodePrivateAddress Code = "private-address"
	// CodeNoncanonical: the URL can be read in different ways.
	CodeNoncanonical Code = "noncanonical"
	// CodeTooLong: the URL is longer than 8 KiB.
	CodeTooLong Code = "too-long"
	// CodeUnsupportedScheme: no pattern can have the URL's scheme.
	CodeUnsupportedScheme Code = "unsupported-scheme"
	// CodeUnsupportedType: no rule can name this type of request, or not for a
	// URL of this scheme.
	CodeUnsupportedType Code = "unsupported-type"
	// CodeNoProgram: there is no program that this version can read.
	CodeNoProgram Code = "no-program"
)

// Codes lists all codes.
var Codes = []Code{
	CodeRule, CodeDefault, CodeAudit, CodeCeiling, CodePrivateAddress, CodeNoncanonical, CodeTooLong, CodeUnsupportedScheme, CodeUnsupportedType, CodeNoProgram,
}
