// Package remote speaks to a browser by WebDriver BiDi or by the Chrome DevTools
// Protocol. In both, numbered commands, answers with the same numbers, and events share
// one WebSocket.
//
// [Dial] connects. [Connection.Call] and [Connection.CallIn] send a command and read
// its answer. [Connection.Next] signals the next event of any kind: a caller that waits
// for something checks again. The tests of all drivers share [CheckEvaluate].
package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// An Object is a JSON object.
type Object = map[string]any

// A Connection is a connection to a browser.
type Connection struct {
	browser string // its name, for errors
	socket  *websocket.Conn

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- message
	changed chan struct{} // closed by the next event
	failure error         // why no further answer comes
}

// A message is an answer or, without an ID, an event. For an error, BiDi sends a name
// and a separate message, and DevTools an object.
type message struct {
	ID      int
	Result  json.RawMessage
	Error   json.RawMessage
	Message string
}

// Dial connects to the browser's WebSocket. ctx bounds only that. name is the browser's
// name in errors.
func Dial(ctx context.Context, name, url string) (*Connection, error) {
	socket, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", url, err)
	}
	socket.SetReadLimit(-1) // an answer can have any length
	c := &Connection{browser: name, socket: socket, waiting: map[int]chan<- message{}, changed: make(chan struct{})}
	go c.read()
	return c, nil
}

// read dispatches what arrives, until the connection ends.
func (c *Connection) read() {
	for {
		var m message
		// No context: cancelling it would close the connection.
		_, data, err := c.socket.Read(context.Background())
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		c.mu.Lock()
		switch {
		case err != nil:
			c.failure = fmt.Errorf("the connection to %s has ended: %w", c.browser, err)
			for id, answer := range c.waiting {
				close(answer)
				delete(c.waiting, id)
			}
			c.mu.Unlock()
			return
		case m.ID == 0:
			close(c.changed)
			c.changed = make(chan struct{})
		case c.waiting[m.ID] != nil:
			c.waiting[m.ID] <- m
			delete(c.waiting, m.ID)
		}
		c.mu.Unlock()
	}
}

// Call sends a command and decodes its answer into result, unless that is nil.
func (c *Connection) Call(ctx context.Context, method string, params Object, result any) error {
	return c.send(ctx, method, Object{"method": method, "params": params}, result)
}

// CallIn is Call in a session of the DevTools protocol.
func (c *Connection) CallIn(ctx context.Context, session, method string, params Object, result any) error {
	return c.send(ctx, method, Object{"sessionId": session, "method": method, "params": params}, result)
}

func (c *Connection) send(ctx context.Context, method string, command Object, result any) error {
	answer := make(chan message, 1)
	id, err := c.expect(answer)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	command["id"] = id
	data, err := json.Marshal(command)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if err := c.socket.Write(context.Background(), websocket.MessageText, data); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", method, c.ended())
		case m.Error != nil:
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %s has not answered: %w", method, c.browser, ctx.Err())
	}
}

// expect assigns a number to a command.
func (c *Connection) expect(answer chan<- message) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return 0, c.failure
	}
	c.last++
	c.waiting[c.last] = answer
	return c.last, nil
}

func (c *Connection) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// Next is closed by the next event.
func (c *Connection) Next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// Close ends the connection.
func (c *Connection) Close() {
	_ = c.socket.CloseNow() // the browser ends next, whatever its state
}
