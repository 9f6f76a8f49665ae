package rules

// A key is one key of a mapping in the file. The parser knows no other keys. The schema
// (schema.go) is made from the same tables.
type key struct {
	name string
	doc  string // for the reader of the schema, in an editor
	kind kind
	// words are the legal words of a kindWord, kindWords, or kindSomeWords.
	words []string
	// needed means that a mapping without the key is rejected.
	needed bool
}

// longestID is the largest number of characters in an id.
const longestID = 64

type kind uint8

const (
	kindVersion kind = iota
	kindReason
	kindID
	kindRule // the id of a rule, given or generated
	kindURL
	kindFlag      // true or false
	kindWord      // one of words
	kindWords     // a list of words, which may be empty
	kindSomeWords // a list of at least one of words
	kindPatterns  // one pattern or a list
	kindFiles     // a list of file names
	kindRules
	kindTests
)

var policyKeys = []key{
	{"version", "The version of the language: 1.", kindVersion, nil, true},
	{"default", "What happens to a request that no rule matches. The only value is block.", kindWord, []string{"block"}, false},
	{"mode", "enforce, or audit: what no rule matches is then let through and logged. Block rules hold, and frames, WebSockets and private addresses stay closed. Audit contains nothing. Left out, enforce.", kindWord, texts(Modes), false},
	{"containment", "allowlist runs nothing in a browser that does not enforce Connection-Allowlist, where preconnect and DNS get out; full runs nothing where WebRTC gets out either, which today is every browser with WebRTC; csp takes every browser. What any file of the policy demands holds. Left out, csp.", kindWord, texts(Containments), false},
	{"worker", "preferred runs a sandbox in a browser that refuses the service worker, too: then only the rules that the browser's own policies hold exactly allow anything, and nobody logs requests. required runs nothing there; what any file of the policy requires holds. Left out, required.", kindWord, texts(Workers), false},
	{"enforce", "browser refuses every rule that the browser's own policies cannot hold exactly; worker takes the service worker as enough. A rule can say otherwise. Left out, worker.", kindWord, texts(Enforcers), false},
	{"ceiling", "For a file that others include: its allow rules give nothing, and what they do not name, no rule of another file can allow.", kindFlag, nil, false},
	{"include", "Files whose rules belong to this policy, relative to this file. A block in any file blocks.", kindFiles, nil, false},
	{"scripts", "How script may run besides files: inline (text in <script>, onclick=), eval, wasm, blob (URLs of blobs).", kindWords, texts(Scripts), false},
	{"rules", "What is allowed and what is blocked. Order never matters: a matching block wins, then a matching allow.", kindRules, nil, false},
	{"tests", "Requests with the verdict that is expected. A test that fails refuses the policy.", kindTests, nil, false},
}

var ruleKeys = []key{
	{"id", "Names the rule in verdicts: up to 64 lower-case letters, digits, hyphens, underscores and dots. Left out, rule-N by its place.", kindID, nil, false},
	{"allow", "Patterns of what is allowed: scheme://host[:port][/path]. *.host is everything below host; in a path * stays inside a segment and ** is whole ones.", kindPatterns, nil, false},
	{"block", "Patterns of what is blocked, whatever else allows it.", kindPatterns, nil, false},
	{"except", "Patterns that are taken out of this block rule only.", kindPatterns, nil, false},
	{"methods", "Request methods that the rule speaks of; left out, all.", kindSomeWords, Methods, false},
	{"types", "Request types that the rule speaks of; left out, all, but that an allow rule must name frame.", kindSomeWords, texts(Types), false},
	{"reason", "Why the rule is there; shown with each of its verdicts.", kindReason, nil, false},
	{"enforce", "browser refuses the rule if the browser's own policies cannot hold it exactly; worker takes the service worker as enough.", kindWord, texts(Enforcers), false},
}

var testKeys = []key{
	{"url", "The URL that is requested, as page code would write it.", kindURL, nil, true},
	{"method", "The request method; left out, GET.", kindWord, Methods, false},
	{"type", "The request type; left out, fetch, or websocket for a ws or wss URL.", kindWord, texts(Types), false},
	{"expect", "The verdict that is expected.", kindWord, []string{"allow", "block"}, true},
	{"rule", "The id of the rule that is expected to decide.", kindRule, nil, false},
}

func texts[T ~string](words []T) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return all
}

// names returns the keys' names.
func names(keys []key) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = k.name
	}
	return all
}
