package server

import (
	queue "container/list"
	"net"
	"net/http"
	"sync"
)

// connections keeps at most max connections open, by closing those that wait for a request. A
// browser reopens an idle connection that was closed. A client that opens thousands of silent
// or very slow connections loses its own.
type connections struct {
	max int

	mu sync.Mutex
	// waiting holds connections without a complete request header, the longest waiting first.
	// open maps each connection to its element in waiting, or to nil if it is not waiting.
	waiting queue.List
	open    map[net.Conn]*queue.Element
	ended   bool
}

func newConnections(max int) *connections {
	return &connections{max: max, open: map[net.Conn]*queue.Element{}}
}

// observe is an [http.Server.ConnState].
func (c *connections) observe(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waiting := c.open[conn]; waiting != nil {
		c.waiting.Remove(waiting)
	}
	switch state {
	case http.StateNew, http.StateIdle:
		if c.ended {
			conn.Close()
		}
		c.open[conn] = c.waiting.PushBack(conn)
	case http.StateActive:
		c.open[conn] = nil
	default:
		delete(c.open, conn)
	}
	if state == http.StateNew && len(c.open) > c.max {
		// If all others are busy, the longest waiting connection is the new one itself.
		longest := c.waiting.Remove(c.waiting.Front()).(net.Conn)
		c.open[longest] = nil // until the server reports that it is closed
		longest.Close()
	}
}

// end closes the waiting connections, now and from now on. Browsers keep some connections open
// in reserve, and an orderly shutdown would wait for a first request on them.
func (c *connections) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	for each := c.waiting.Front(); each != nil; each = each.Next() {
		each.Value.(net.Conn).Close()
	}
}
