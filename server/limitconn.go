package server

import (
	queue "container/list"
	"net"
	"net/http"
	"sync"
)

// connections keeps at most so many, by closing those that wait. A browser
// opens a connection anew that was closed while it had nothing to say; a client
// that opens thousands, to say nothing on them or very slowly, loses its own.
type connections struct {
	max int

	mu sync.Mutex
	// waiting are connections without a whole header of a request, those that
	// have waited longest first; open has their elements, nil for the others.
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
		// It is the new one itself if all others are busy.
		longest := c.waiting.Remove(c.waiting.Front()).(net.Conn)
		c.open[longest] = nil // until the server says that it is closed
		longest.Close()
	}
}

// end closes the connections on which nothing is asked, now and from now on. A
// browser keeps some open in case it needs them, and an orderly end would wait for
// a request on those that had none yet.
func (c *connections) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	for each := c.waiting.Front(); each != nil; each = each.Next() {
		each.Value.(net.Conn).Close()
	}
}
