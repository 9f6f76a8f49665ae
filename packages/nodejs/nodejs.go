// Package nodejs knows the modules of Node.js, which no browser has.
package nodejs

import (
	"slices"
	"strings"
)

var names = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
	events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream
	string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)

// HasModule reports whether a specifier such as "fs/promises" or "node:fs" names a module of Node.js.
// Some names are also those of packages, such as buffer.
func HasModule(specifier string) bool {
	name, _, _ := strings.Cut(specifier, "/")
	return strings.HasPrefix(specifier, "node:") || slices.Contains(names, name)
}
