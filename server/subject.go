package server

import "net/http"

// A subject is the sandbox that a request names, in the version that it had at that time. The
// headers and the body of the response both belong to this version. Later versions affect
// neither.
type subject struct {
	sandbox *Sandbox // nil if the request names none
	version version
}

// name sets the request's sandbox, once. The request's log line gets the sandbox from here
// too.
func (x *exchange) name(sb *Sandbox) {
	if sb == nil {
		return
	}
	x.sandbox = sb
	x.version, _ = sb.Version()
}

// sandboxOf returns the sandbox that the request's host or path names, or nil.
func sandboxOf(r *http.Request) *Sandbox { return exchangeOf(r).sandbox }

// versionOf returns the version with which a request for a sandbox is answered.
func versionOf(r *http.Request) version { return exchangeOf(r).version }

// outlive releases the version. Otherwise a stream would keep the version's files in memory
// for as long as it lasts.
func outlive(r *http.Request) { exchangeOf(r).version = version{} }
