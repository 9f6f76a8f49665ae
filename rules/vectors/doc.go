// Package vectors reads the decision vectors: what the rules mean, as data that
// every implementation of them is tested against.
//
// # A guided tour
//
// [Load] returns all files of rules/testdata/vectors, one [File] for each
// behaviour, with its policy and its [Case] list. A test decides each case by
// its implementation and compares action, rule and code.
//
// # The format
//
// A file is a policy in YAML, then a line "---", then one case a line:
//
//	allow GET fetch https://api.example.com/v1/x  # rule api
//	block GET fetch https://api.example.com/      # default
//	block GET other https://api.example.com/v1/x  # unsupported-type
//
// The words are action, method, request type, URL, and after the last " # " the
// grounds: "rule ID", or one of [rules.Codes]. The type "other" is a request for which
// rules have no word; it is read as the empty Type. Empty lines and lines that
// begin with # are skipped.
//
// The URL is what page code would write. An implementation inside a browser
// parses it as the browser does (new URL), and judges a URL that the browser
// refuses to parse as it stands. {repeat:N:TEXT} in a URL is TEXT, N times.
//
// Everything is a closed vocabulary: an unknown word, a file without cases and
// a set without files are errors, so that a vector can never be skipped
// silently.
package vectors
