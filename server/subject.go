package server

import (
	"context"
	"net/http"
)

type sandboxKey struct{}

// A subject is the sandbox that a request names, in the version that it had then.
type subject struct {
	sandbox *Sandbox
	version version
}

// withSandbox is the one place where a request gets its sandbox. Its line in the log has it from
// here, too.
func withSandbox(r *http.Request, sb *Sandbox) *http.Request {
	named := &subject{sandbox: sb}
	if sb != nil {
		named.version, _ = sb.now()
	}
	exchangeOf(r).sandbox = sb
	return r.WithContext(context.WithValue(r.Context(), sandboxKey{}, named))
}

// sandboxOf returns the sandbox that the request's host or path names, or nil.
func sandboxOf(r *http.Request) *Sandbox {
	if named, ok := r.Context().Value(sandboxKey{}).(*subject); ok {
		return named.sandbox
	}
	return nil
}

// versionOf returns the version by which a request with a sandbox is answered,
// headers and body alike: what came after it began may be in neither.
func versionOf(r *http.Request) version { return r.Context().Value(sandboxKey{}).(*subject).version }

// outlive lets go of the version, whose files a stream would hold for its life.
func outlive(r *http.Request) { r.Context().Value(sandboxKey{}).(*subject).version = version{} }
