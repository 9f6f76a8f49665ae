package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Listeners are the sockets of one server. On a loopback address there are two, 127.0.0.1 and
// [::1] on the same port. A browser that opens localhost may try either, and must not reach
// another program at one of them.
type Listeners struct {
	list   []net.Listener
	port   int
	secure bool // with TLS
}

// Listen opens the address, "host:port". For a loopback host it opens both loopback addresses,
// or only the IPv4 one on a machine without IPv6. Port 0 selects a free port. Listen fails if
// another program uses the port on either address.
func Listen(addr string) (*Listeners, error) {
	host, portText, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("the address %q is not host:port, such as 127.0.0.1:3333: %w", addr, err)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return nil, listenError(addr, err)
		}
		return &Listeners{list: []net.Listener{l}, port: l.Addr().(*net.TCPAddr).Port}, nil
	}
	// With port 0, the port that is free on the first address may be in use on the second.
	// Then Listen tries another port.
	const draws = 20
	for draw := 1; ; draw++ {
		l, err := listenLoopback(portText)
		if err == nil || portText != "0" || !errors.Is(err, syscall.EADDRINUSE) || draw == draws {
			return l, err
		}
	}
}

func listenLoopback(port string) (*Listeners, error) {
	v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return nil, listenError("127.0.0.1:"+port, err)
	}
	l := &Listeners{list: []net.Listener{v4}, port: v4.Addr().(*net.TCPAddr).Port}
	addr := net.JoinHostPort("::1", strconv.Itoa(l.port))
	v6, err := net.Listen("tcp6", addr)
	switch {
	case err == nil:
		l.list = append(l.list, v6)
	case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
		// This machine has no IPv6 loopback, so no other program can be there.
	default:
		return nil, errors.Join(listenError(addr, err), v4.Close())
	}
	return l, nil
}

func listenError(addr string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("the address %s is in use by another program; stop that or choose another port: %w", addr, err)
	}
	return fmt.Errorf("cannot listen on %s: %w", addr, err)
}

// Port returns the port that [Listen] has opened.
func (l *Listeners) Port() int { return l.port }

// All returns the sockets, for the caller's own [http.Server].
func (l *Listeners) All() []net.Listener { return slices.Clone(l.list) }

// Add takes over the sockets of another port, for [Config.MCPPort]. It does not change
// [Listeners.Port].
func (l *Listeners) Add(more *Listeners) { l.list = append(l.list, more.list...) }

// Close closes the sockets.
func (l *Listeners) Close() error {
	var errs []error
	for _, each := range l.list {
		errs = append(errs, each.Close())
	}
	return errors.Join(errs...)
}

// Serve serves on the listeners until ctx is done, and then ends the server. It closes the
// listeners and the idle connections, ends the streams ([Server.End]), and gives requests in
// progress [Limits.EndTime]. Then it cuts off the rest.
//
// Serve returns nil after an orderly end, when no handler runs any more. Call it only once for
// each server. If other machines can reach the listeners, it closes them and returns a
// [*RemoteError], unless the configuration allows them ([Config.CheckRemote]).
//
// The limits on connections and on slow clients apply only here. If you mount the server in
// your own [http.Server], set that server's timeouts.
func (s *Server) Serve(ctx context.Context, l *Listeners) error { return s.serve(ctx, l, s) }

// ServeBeside is [Server.Serve] for a service with its own pages. The server answers for the
// hosts that it [Server.Owns]. own answers for all others, including the host page. All limits
// and the orderly end apply to both. Requests that own answers have no policy headers, and may
// have any Host.
func (s *Server) ServeBeside(ctx context.Context, l *Listeners, own http.Handler) error {
	return s.serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Owns(r.Host) {
			s.ServeHTTP(w, r)
		} else {
			own.ServeHTTP(w, r)
		}
	}))
}

func (s *Server) serve(ctx context.Context, l *Listeners, handler http.Handler) error {
	if err := s.config.CheckRemote(l); err != nil {
		return errors.Join(err, l.Close())
	}
	if l.secure && s.config.public.scheme != secure {
		return errors.Join(fmt.Errorf("server: the listeners speak TLS, and the public URL is %s; it has to begin with https", s.config.PublicURL), l.Close())
	}
	limits := &s.config.Limits
	var handling handlers
	// Requests in progress continue when ctx is done.
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	h := &http.Server{
		Handler:           handling.count(limits.patient(handler)),
		ReadHeaderTimeout: limits.HeaderTime,
		IdleTimeout:       2 * time.Minute,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	listeners := s.Guard(h, l.list...)
	guarded, connections := h.ConnState, newConnections(limits.Connections)
	h.ConnState = func(c net.Conn, state http.ConnState) {
		guarded(c, state)
		connections.observe(c, state)
	}
	failed := make(chan error, len(listeners))
	for _, each := range listeners {
		go func() { failed <- h.Serve(each) }()
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.config.Log.Info("shutting down: no new requests, and open ones have until the limit", "time", limits.EndTime)
	s.End()
	connections.end()
	within, cancel := context.WithTimeout(base, limits.EndTime)
	defer cancel()
	late := h.Shutdown(within)
	if errors.Is(late, context.DeadlineExceeded) {
		s.config.Log.Warn("requests were cut off: they took longer than there was time at the end", "time", limits.EndTime)
		late = nil
	}
	cut()
	err = errors.Join(err, late, h.Close())
	handling.end()
	s.registry.Flush()
	return err
}

// handlers counts the running handlers. Closing a connection does not wait for its handler.
type handlers struct {
	running sync.RWMutex
	ended   bool
}

func (h *handlers) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.running.RLock()
		defer h.running.RUnlock()
		if !h.ended {
			next.ServeHTTP(w, r)
		}
	})
}

// end waits until no handler runs, and lets none start.
func (h *handlers) end() {
	h.running.Lock()
	defer h.running.Unlock()
	h.ended = true
}
