package server

import "net/http"

// A subject is the sandbox that a request names, in the version that it had then. Headers and
// body are of this version: what came after it began may be in neither.
type subject struct {
	sandbox *Sandbox // nil if the request names none
	version version
}

// name sets the request's sandbox, once. Its line in the log has it from here, too.
func (x *exchange) name(sb *Sandbox) {
	if sb == nil {
		return
	}
	x.sandbox = sb
	x.version, _ = sb.Version()
}

// sandboxOf returns the sandbox that the request's host or path names, or nil.
func sandboxOf(r *http.Request) *Sandbox { return exchangeOf(r).sandbox }

// versionOf returns the version by which a request with a sandbox is answered.
func versionOf(r *http.Request) version { return exchangeOf(r).version }

// outlive lets go of the version, whose files a stream would hold for its life.
func outlive(r *http.Request) { exchangeOf(r).version = version{} }
