package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// The server uses Fetch Metadata to recognize a browser's request for a worker's script or an
// outer frame. That authenticates browsers only. Page code cannot set these headers, but every
// other program can. On a loopback address, the other programs run on this machine. So the
// server answers at no other address unless [Config.AllowRemote] is set.

// With TLS and a public address, the host page needs a token, so nobody learns the sandboxes'
// ids from it. That is the intended way to reach the server, and it needs no AllowRemote.

// A RemoteError says that the server refuses to serve at addresses that other machines can
// reach.
type RemoteError struct {
	Addrs []string // the listeners' addresses
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("%s is not a loopback address. Any program that reaches it and sends a browser's headers gets the sandboxes' ids and tokens, "+
		"and the worker's script and secret, unencrypted. Listen on 127.0.0.1 behind a proxy, serve a public URL over TLS (docs/deploy.md), or accept this with --allow-remote (in Go, Config.AllowRemote)", strings.Join(e.Addrs, ", "))
}

// CheckRemote returns a [*RemoteError] if the configuration does not allow the listeners.
// [Server.Serve] makes the same check. Call CheckRemote earlier if your program has more to do
// before it serves.
func (c *Config) CheckRemote(l *Listeners) error {
	if c.AllowRemote || l.Loopback() || l.secure && c.isPublic() {
		return nil
	}
	e := &RemoteError{}
	for _, each := range l.list {
		e.Addrs = append(e.Addrs, each.Addr().String())
	}
	return e
}

// isPublic reports whether the host page is for browsers on other machines.
func (c *Config) isPublic() bool {
	known := *c
	return known.setDefaults() == nil && !known.public.local()
}

// needsToken reports whether the host page needs a token. It does if other machines can reach
// it.
func (c *Config) needsToken() bool { return c.AllowRemote || !c.public.local() }

// remote reports whether a request must be refused because it arrived at an address that other
// machines can reach. If the handler was called without a connection, there is no address, and
// the request is accepted.
func (c *Config) remote(r *http.Request) bool {
	if c.AllowRemote || !c.public.local() && inTLS(r) {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	addr, err := netip.ParseAddrPort(local.String())
	return err == nil && !addr.Addr().Unmap().IsLoopback()
}

// inTLS reports whether a request came over TLS that ends in this program.
func inTLS(r *http.Request) bool {
	c, guarded := r.Context().Value(connKey{}).(*guardedConn)
	return r.TLS != nil || guarded && c.isTLS()
}

// refuseRemote answers a request that [Config.remote] rejects.
func refuseRemote(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprint(w, "This server is available only at loopback addresses. Its operator can allow other addresses with --allow-remote (in Go, Config.AllowRemote).\n\nBellglass: remote-address\n")
}
