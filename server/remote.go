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

// A RemoteError is the refusal to serve at addresses that other machines can reach.
type RemoteError struct {
	Addrs []string // the listeners' addresses
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("%s is not a loopback address. Any program that reaches it and sends a browser's headers gets the sandboxes' ids and tokens, "+
		"and the worker's script and secret, unencrypted. Listen on 127.0.0.1, or accept this with --allow-remote (in Go, Config.AllowRemote)", strings.Join(e.Addrs, ", "))
}

// CheckRemote returns a [*RemoteError] if the configuration does not allow the
// listeners. [Server.Serve] does the same; a program that has more to do before
// serving calls it first.
func (c *Config) CheckRemote(l *Listeners) error {
	if c.AllowRemote || l.Loopback() {
		return nil
	}
	e := &RemoteError{}
	for _, each := range l.list {
		e.Addrs = append(e.Addrs, each.Addr().String())
	}
	return e
}

// remote reports whether a request arrived at an address that other machines can
// reach, and may not. A handler that is called without a connection has no address.
func (c *Config) remote(r *http.Request) bool {
	if c.AllowRemote {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	addr, err := netip.ParseAddrPort(local.String())
	return err == nil && !addr.Addr().Unmap().IsLoopback()
}

// refuseRemote answers a request that [Config.remote] holds back.
func refuseRemote(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprint(w, "This server answers at loopback addresses only. Its operator can allow other addresses; see Config.AllowRemote.\n\nBellglass: remote-address\n")
}
