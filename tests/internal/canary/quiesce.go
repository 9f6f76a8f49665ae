package canary

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"slices"
	"strings"
)

// Quiesce returns once everything sent before the call has been read and recorded.
// Close the senders first: Quiesce waits for the end of each of their connections, and
// fails if ctx ends before that. The package comment says what it proves.
func (c *Canary) Quiesce(ctx context.Context) error {
	c.mu.Lock()
	listeners := slices.Clone(c.listeners)
	var sockets []net.PacketConn
	for _, socket := range c.udp {
		sockets = append(sockets, socket)
	}
	c.mu.Unlock()

	for _, l := range listeners {
		if err := c.passAccepted(ctx, l.Addr()); err != nil {
			return fmt.Errorf("canary: waiting for the connections to %s: %w", l.Addr(), err)
		}
	}
	for _, socket := range sockets {
		if err := c.passDatagrams(ctx, socket.LocalAddr()); err != nil {
			return fmt.Errorf("canary: waiting for the datagrams to %s: %w", socket.LocalAddr(), err)
		}
	}
	return c.connectionsEnd(ctx)
}

// passAccepted returns once each connection that was made earlier has been accepted. It
// makes a connection itself, which is queued after them.
func (c *Canary) passAccepted(ctx context.Context, addr net.Addr) error {
	// Hold the lock from before the connection is made until its address is known, so
	// that Accept does not take it for a client's.
	c.accepting.Lock()
	var dialer net.Dialer
	marker, err := dialer.DialContext(ctx, "tcp", addr.String())
	if err != nil {
		c.accepting.Unlock()
		return err
	}
	defer marker.Close()
	seen := c.expect("tcp " + marker.LocalAddr().String())
	c.accepting.Unlock()
	return await(ctx, seen)
}

func (c *Canary) isMarker(accepted net.Conn) bool {
	c.accepting.Lock()
	defer c.accepting.Unlock()
	return c.reached("tcp " + accepted.RemoteAddr().String())
}

// passDatagrams returns once each earlier datagram has been read.
func (c *Canary) passDatagrams(ctx context.Context, addr net.Addr) error {
	marker, err := net.Dial("udp", addr.String())
	if err != nil {
		return err
	}
	defer marker.Close()
	text := "canary marker " + rand.Text()
	seen := c.expect(text)
	if _, err := marker.Write([]byte(text)); err != nil {
		return err
	}
	return await(ctx, seen)
}

// connectionsEnd returns once all connections that are open now have been read to their
// end.
func (c *Canary) connectionsEnd(ctx context.Context) error {
	c.mu.Lock()
	newest := c.conns
	c.mu.Unlock()
	for {
		c.mu.Lock()
		changed := c.changed
		var open []string
		for n, cn := range c.open {
			if n <= newest {
				open = append(open, cn.RemoteAddr().String())
			}
		}
		c.mu.Unlock()
		if len(open) == 0 {
			return nil
		}
		if err := await(ctx, changed); err != nil {
			return fmt.Errorf("canary: still connected: %s (are the senders closed?): %w", strings.Join(open, ", "), err)
		}
	}
}

func (c *Canary) expect(marker string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.markers[marker] = make(chan struct{})
	return c.markers[marker]
}

// reached reports whether this is one of our markers, and if so wakes up its sender.
func (c *Canary) reached(marker string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, ok := c.markers[marker]
	if ok {
		close(seen)
		delete(c.markers, marker)
	}
	return ok
}

func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
