// Package vectors reads the decision vectors. They define what rules mean, as data that every
// implementation is tested against.
//
// # A guided tour
//
// [Load] returns all files of rules/testdata/vectors: one [File] for each behavior, with its
// policy and its [Case] list. A test decides each case with its implementation and compares
// action, rule, and code.
//
// # The format
//
// A file is a policy in YAML, then a line "---", then one case a line:
//
//	allow GET fetch https://api.example.com/v1/x  # rule api
//	block GET fetch https://api.example.com/      # default
//	block GET other https://api.example.com/v1/x  # unsupported-type
//
// A line has action, method, request type, and URL. After the last " # " come the grounds:
// "rule ID", or one of [rules.Codes]. The type "other" is a request for which rules have no
// word. It is read as the empty Type. Empty lines and lines that begin with # are skipped.
//
// The URL is what page code would write. An implementation inside a browser parses it as the
// browser does (new URL). It judges a URL that the browser cannot parse as written.
// {repeat:N:TEXT} in a URL stands for N times TEXT.
//
// Every vocabulary is closed. An unknown word, a file without cases, and a set without files
// are errors, so no vector can be skipped silently.
package vectors
