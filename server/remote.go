package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// The server tells a browser's request for a worker's script or an outer frame by
// Fetch Metadata. That authenticates browsers only: page code cannot set those
// headers, and every other program can. On a loopback address the other programs
// are this machine's own. So nothing is answered at any other address unless
// [Config.AllowRemote] says so.

// Over TLS, at a public address, the host page needs a token: nobody learns the sandboxes' ids
// from it. That is how the server is meant to be reached, and needs no permission.

// A RemoteError is the refusal to serve at addresses that other machines can reach.
type RemoteError struct {
	Addrs []string // the listeners' addresses
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("%s is not a loopback address. Any program that reaches it and sends a browser's headers gets the sandboxes' ids and tokens, "+
		"and the worker's script and secret, unencrypted. Listen on 127.0.0.1 behind a proxy, serve a public URL over TLS (docs/deploy.md), or accept this with --allow-remote (in Go, Config.AllowRemote)", strings.Join(e.Addrs, ", "))
}

// CheckRemote returns a [*RemoteError] if the configuration does not allow the
// listeners. [Server.Serve] does the same; a program that has more to do before
// serving calls it first.
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

// needsToken reports whether the host page is for holders of a token alone. That is so where
// other machines reach it.
func (c *Config) needsToken() bool { return c.AllowRemote || !c.public.local() }

// remote reports whether a request arrived at an address that other machines can
// reach, and may not. A handler that is called without a connection has no address.
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

// refuseRemote answers a request that [Config.remote] holds back.
func refuseRemote(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprint(w, "This server answers at loopback addresses only. Its operator can allow other addresses; see Config.AllowRemote.\n\nBellglass: remote-address\n")
}
