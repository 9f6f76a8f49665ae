package rules

// A key is one key of a mapping in the file. The parser knows no others, and
// the schema (schema.go) is made of the same tables.
type key struct {
	name string
	doc  string // for the reader of the schema, in an editor
	kind kind
	// words are the legal ones of a kindWord and kindWords.
	words []string
}

type kind uint8

const (
	kindVersion kind = iota
	kindText
	kindID
	kindURL
	kindFlag     // true or false
	kindWord     // one of words
	kindWords    // a list of words
	kindPatterns // one pattern or a list
	kindFiles    // a list of file names
	kindRules
	kindTests
)

var policyKeys = []key{
	{"version", "The version of the language.", kindVersion, nil},
	{"default", "What happens to a request that no rule matches. The only value is block.", kindWord, []string{"block"}},
	{"mode", "enforce, or audit: what no rule matches is then let through and logged. Block rules hold, and so do frames and WebSockets, which the worker does not see. Audit contains nothing.", kindWord, texts(Modes)},
	{"enforce", "browser refuses every rule that the browser's own policies cannot hold exactly. A rule can say otherwise.", kindWord, texts(Enforcers)},
	{"ceiling", "For a file that others include: its allow rules give nothing, and what they do not name, no rule of another file can allow.", kindFlag, nil},
	{"include", "Files whose rules belong to this policy, relative to this file. A block in any file blocks.", kindFiles, nil},
	{"scripts", "How script may run besides files: inline (text in <script>, onclick=), eval, wasm, blob (URLs of blobs).", kindWords, texts(Scripts)},
	{"rules", "What is allowed and what is blocked. Order never matters: a matching block wins, then a matching allow.", kindRules, nil},
	{"tests", "Requests with the verdict that is expected. A test that fails refuses the policy.", kindTests, nil},
}

var ruleKeys = []key{
	{"id", "Names the rule in verdicts: lower-case letters, digits, hyphens, underscores and dots.", kindID, nil},
	{"allow", "Patterns of what is allowed: scheme://host[:port][/path]. *.host is everything below host; in a path * stays inside a segment and ** is whole ones.", kindPatterns, nil},
	{"block", "Patterns of what is blocked, whatever else allows it.", kindPatterns, nil},
	{"except", "Patterns that are taken out of this block rule only.", kindPatterns, nil},
	{"methods", "Request methods that the rule speaks of; left out, all.", kindWords, Methods},
	{"types", "Request types that the rule speaks of; left out, all, but that an allow rule must name frame.", kindWords, texts(Types)},
	{"reason", "Why the rule is there; shown with each of its verdicts.", kindText, nil},
	{"enforce", "browser refuses the rule if the browser's own policies cannot hold it exactly; worker takes the service worker as enough.", kindWord, texts(Enforcers)},
}

var testKeys = []key{
	{"url", "The URL that is requested.", kindURL, nil},
	{"method", "The request method; left out, GET.", kindWord, Methods},
	{"type", "The request type; left out, fetch, or websocket for a ws or wss URL.", kindWord, texts(Types)},
	{"expect", "The verdict that is expected.", kindWord, []string{"allow", "block"}},
	{"rule", "The id of the rule that is expected to decide.", kindID, nil},
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
