package firefox

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// An object is one of JSON.
type object = map[string]any

// events are those that may mean that a frame has come or gone elsewhere.
var events = []string{
	"browsingContext.contextCreated", "browsingContext.domContentLoaded", "browsingContext.fragmentNavigated", "browsingContext.load",
}

// A connection speaks WebDriver BiDi: commands with numbers, answers with the
// same numbers, and events in between.
type connection struct {
	socket *websocket.Conn

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- message
	changed chan struct{} // closed by the next event
	failure error         // why no answer comes any more
}

// A message is an answer or an event.
type message struct {
	Type    string
	ID      int
	Result  json.RawMessage
	Error   string // a word, or "" if it is no error
	Message string
}

func dial(ctx context.Context, url string) (*connection, error) {
	socket, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", url, err)
	}
	socket.SetReadLimit(-1) // An answer is as long as what was asked for.
	c := &connection{socket: socket, waiting: map[int]chan<- message{}, changed: make(chan struct{})}
	go c.read()
	return c, nil
}

// read hands out what arrives, until the connection ends.
func (c *connection) read() {
	for {
		var m message
		// No context: to end it would end the connection.
		_, data, err := c.socket.Read(context.Background())
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		c.mu.Lock()
		switch {
		case err != nil:
			c.failure = fmt.Errorf("the connection to Firefox has ended: %w", err)
			for id, answer := range c.waiting {
				close(answer)
				delete(c.waiting, id)
			}
			c.mu.Unlock()
			return
		case m.Type == "event":
			close(c.changed)
			c.changed = make(chan struct{})
		case c.waiting[m.ID] != nil:
			c.waiting[m.ID] <- m
			delete(c.waiting, m.ID)
		}
		c.mu.Unlock()
	}
}

// call sends a command and reads its answer into result, unless that is nil.
func (c *connection) call(ctx context.Context, method string, params object, result any) error {
	answer := make(chan message, 1)
	id, err := c.expect(answer)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	data, err := json.Marshal(object{"id": id, "method": method, "params": params})
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
		case m.Error != "":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: Firefox has not answered: %w", method, ctx.Err())
	}
}

// expect gives a command its number.
func (c *connection) expect(answer chan<- message) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return 0, c.failure
	}
	c.last++
	c.waiting[c.last] = answer
	return c.last, nil
}

func (c *connection) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// next is closed by the next event.
func (c *connection) next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

func (c *connection) close() {
	_ = c.socket.CloseNow() // The browser ends next, in whatever state it is.
}
